import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { sha256File } from '../release/digest.js';
import { FileStore } from './file-store.js';
import { FolderStore } from './folder-store.js';
import { KeptFolder } from './kept-folder.js';
import { RemoteTier } from './remote-tier.js';
import { TransientError } from './transient-error.js';
import { contentKey } from './verified-read.js';

const NAME = 'tables/own-0123456789abcdef';

/** Two machines with output folders of their own, and one store. */
const twoMachines = (t: Test) => {
  const dir = t.testdir({ feed: 'rows' });
  const root = join(dir, 'store');
  const lines: string[] = [];
  const tier = () =>
    new RemoteTier(() => Promise.resolve(new FolderStore(root)), { log: (line) => void lines.push(line) });
  const [a, b] = [join(dir, 'a'), join(dir, 'b')];
  const folders = [a, b].map((outputDir) => new KeptFolder(outputDir, NAME, tier()));
  const files = [a, b].map((outputDir) => new FileStore(outputDir, tier()));
  return {
    dir,
    root,
    lines,
    folders: folders as [KeptFolder, KeptFolder],
    files: files as [FileStore, FileStore],
  };
};

const writeRows = (rows: string) => (dir: string) => {
  mkdirSync(join(dir, 'more'));
  writeFileSync(join(dir, 'rows'), rows);
  writeFileSync(join(dir, 'more/rows'), rows);
  return Promise.resolve({});
};

t.test('finished work of one machine is found by another', async (t) => {
  const {
    folders: [here, there],
    root,
  } = twoMachines(t);
  t.notOk(await there.find());
  await t.rejects(there.require(), { name: 'StoreError', message: /neither in .* nor in the store/ });
  await here.write(writeRows('a'));
  t.equal(await there.require(), there.dir);
  t.equal(readFileSync(join(there.dir, 'more/rows'), 'utf8'), 'a');
  t.equal(readdirSync(join(root, 'objects')).length, 1, 'equal content is stored once');
  t.same(readdirSync(join(there.dir, '..')), ['own-0123456789abcdef'], 'nothing unfinished is left');
});

t.test('work that fails is not kept, on no machine', async (t) => {
  const {
    folders: [here, there],
  } = twoMachines(t);
  await t.rejects(
    here.write(() => Promise.reject(new Error('bad rows'))),
    { message: 'bad rows' },
  );
  t.notOk(await here.find());
  t.notOk(await there.find());
  t.same(readdirSync(join(here.dir, '..')), []);
});

t.test('a folder of a time without a store is uploaded when it is shared', async (t) => {
  const {
    folders: [here, there],
  } = twoMachines(t);
  await new KeptFolder(here.outputDir, NAME).write(writeRows('a'));
  await here.share({});
  t.ok(await there.find());
});

t.test('a damaged object is never used, is removed, and is uploaded again', async (t) => {
  const {
    folders: [here, there],
    root,
    lines,
  } = twoMachines(t);
  await here.write(writeRows('good'));
  const { sha256 } = await sha256File(join(here.dir, 'rows'));
  writeFileSync(join(root, contentKey(sha256)), 'evil');
  t.notOk(await there.find(), 'the folder is not used');
  t.match(lines.join('\n'), /has 4 bytes with sha256 .*: expected 4 bytes/);
  t.notOk(existsSync(there.dir));
  t.notOk(existsSync(join(root, contentKey(sha256))));
  await here.write(writeRows('good'));
  t.equal(readFileSync(join(await there.require(), 'rows'), 'utf8'), 'good');
});

t.test('an index that is torn, or names paths outside of its folder, is not used', async (t) => {
  const {
    folders: [here, there],
    root,
  } = twoMachines(t);
  await here.write(writeRows('a'));
  const index = join(root, 'kept', `${NAME}.json`);
  const whole = readFileSync(index, 'utf8');
  for (const text of [whole.slice(0, -9), '{}', whole.replace('"rows"', '"../../rows"')]) {
    writeFileSync(index, text);
    t.notOk(await there.find(), text);
  }
  writeFileSync(index, whole);
  t.ok(await there.find());
});

t.test('a file that one machine has stored is brought to another, whole', async (t) => {
  const {
    dir,
    files: [here, there],
    root,
  } = twoMachines(t);
  const digest = await here.keep(join(dir, 'feed'));
  t.notOk(await there.holds(digest), 'it is not shared yet');
  await here.share([digest]);
  t.ok(await there.holds(digest));
  await there.bring([digest]);
  t.equal(readFileSync(there.pathOf(digest.sha256), 'utf8'), 'rows');
  writeFileSync(there.pathOf(digest.sha256), 'r0ws');
  t.ok(await there.isWhole(digest), 'a damaged copy is replaced');
  t.equal(readFileSync(there.pathOf(digest.sha256), 'utf8'), 'rows');
  rmSync(join(root, 'objects'), { recursive: true });
  rmSync(there.pathOf(digest.sha256));
  t.notOk(await there.isWhole(digest));
  await t.rejects(there.bring([digest]), { name: 'StoreError', message: /is missing/ });
});

t.test('a store that has gone is waited for, in two lines', async (t) => {
  const { root } = twoMachines(t);
  const lines: string[] = [];
  let faults = 3;
  class Gone extends FolderStore {
    override head(key: string) {
      return faults-- > 0 ? Promise.reject(new TransientError('connection refused')) : super.head(key);
    }
  }
  const options = { log: (line: string) => void lines.push(line), firstWaitMs: 1 };
  const digest = { sha256: '0'.repeat(64), sizeBytes: 1 };
  t.notOk(await new RemoteTier(() => Promise.resolve(new Gone(root)), options).has(digest));
  t.same(lines, ['the store does not respond: connection refused; trying again', 'the store responds again']);
  faults = Infinity;
  const impatient = new RemoteTier(() => Promise.resolve(new Gone(root)), { ...options, patienceMs: 0 });
  await t.rejects(impatient.has(digest), { name: 'StoreError', message: /connection refused: no success/ });
});
