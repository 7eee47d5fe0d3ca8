import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { parseDay } from '../lists/days.js';
import { readList } from '../lists/list-file.js';
import { onlyLayer, type List } from '../lists/list.js';
import { PrefixTexts } from '../lists/prefix-texts.js';
import { writeContents } from '../lists/testing/list-trial.js';
import { readTextLines } from '../lists/text-lines.js';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { readListDays } from './list-days.js';
import { KeptFolder } from '../store/kept-folder.js';
import { listReader } from './list-reader.js';
import { normalise } from './normalise.js';

/** `prefix` or `prefix date` per line. */
const NAMED: List = {
  id: 'named',
  publisher: 'Example',
  licence: { name: 'CC0', url: 'https://example.org/', terms: 'free' },
  files: [{ folder: 'named', name: 'list.txt', container: 'plain', required: false, take: 'all' }],
  cadence: 'daily',
  version: 1,
  tolerance: 0.2,
  maxAgeDays: 30,
  layers: ['rows'],
  combine: onlyLayer,
  read: async (files, sinkFor) => {
    for (const file of files) {
      const sink = sinkFor(file);
      const prefixes = new PrefixTexts(sink);
      await readTextLines(file, sink, (line, position) => {
        const [prefix = '', date] = line.split(' ');
        const lastSeen = date === undefined ? undefined : parseDay(date);
        const claimId = sink.intern({ type: 'VPN', ...(lastSeen !== undefined && { lastSeen }) });
        prefixes.add(prefix, claimId, { position });
      });
    }
  },
};

const REGISTRIES = ['ipv4', 'ipv6'].map((family) => `iana/iana-${family}-special-registry.xml`);

/** Reads a list of these lines together with IANA's registries. */
async function normaliseLines(t: Test, lines: readonly string[]) {
  const root = t.testdir({ files: {} });
  const contents: Record<string, string> = { 'named/list.txt': lines.join('\n') };
  for (const id of REGISTRIES) contents[id] = readFileSync(join(PROJECT_ROOT, 'fixtures/feeds', id), 'utf8');
  const files = writeContents(join(root, 'files'), contents);
  return normalise({
    reader: listReader(NAMED),
    open: () => files,
    folder: new KeptFolder(root, 'kept'),
    judge: () => undefined,
    onProgress: () => undefined,
    log: () => undefined,
  });
}

t.test('a list is stored as a table, with its days in a file beside it', async (t) => {
  const { dir, tallies, networks } = await normaliseLines(t, [
    '8.8.8.0/24 2026-11-20',
    '9.9.9.9 2026-11-21',
    '10.0.0.1',
  ]);
  t.equal(networks, 2);
  t.match(tallies['named/list.txt'], { rows: 3, accepted: 2, rejections: { reserved: { count: 1 } } });
  t.ok(tallies[REGISTRIES[0]!]!.accepted > 0, 'every file is accounted for');
  t.equal(readList(dir).table.networkCount(), 2);
  const seen = [parseDay('2026-11-20'), parseDay('2026-11-21')];
  t.same(readListDays(dir), { seen, isPartlyUndated: false }, 'the day of a rejected row is ignored');
});

t.test('a list that names the whole internet is refused, and nothing is stored', async (t) => {
  for (const wide of ['0.0.0.0/0', '128.0.0.0/7', '::/0', '2000::/3']) {
    const refused = normaliseLines(t, ['8.8.8.0/24', wide]);
    await t.rejects(refused, { name: 'FeedError', refusal: 'too-wide', file: 'named/list.txt' }, wide);
  }
});

t.test('the reader of a list has its maximum age', (t) => {
  const { id, version, tolerance, maxAgeDays } = listReader(NAMED).source;
  t.same({ id, version, tolerance, maxAgeDays }, { id: 'named', version: 1, tolerance: 0.2, maxAgeDays: 30 });
  t.end();
});
