import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import { DEFAULT_UNPACKED_BYTES } from '../input/containers/unpacked-size.js';
import type { PublishedFile } from '../input/published-source.js';
import { download, type DownloadResult } from './download.js';
import { statePaths } from './download-state.js';
import { planDownloads } from './download-plan.js';
import { serveFile, startPublisher, TEST_LIMITS } from './testing/publisher.js';
import { entryName } from './unpack-archive.js';

const pack = (files: Readonly<Record<string, string>>): Buffer =>
  zipFile(Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) })));

const FIRST = pack({
  'blocks-main/readme.txt': 'read me',
  'blocks-main/country/ad/ad-ipv4.txt': '85.94.160.0/19\n',
  'blocks-main/country/ad/ad-ipv6.txt': '2a02:8060::/31\n',
  'blocks-main/country/zz/zz-ipv4.txt': '192.0.2.0/24\n',
  'blocks-main/country/ad/ad.json': '{}',
});

/** Two families of files from one archive. */
function blockFiles(url: string): PublishedFile[] {
  const archive = { url, archive: 'zip', saveAs: 'blocks.zip', minBytes: 10 } as const;
  return ['ipv4', 'ipv6'].map((family) => {
    const file = { folder: 'own', name: `country/*/*-${family}.txt`, container: 'plain' } as const;
    return { ...file, required: false, take: 'all', download: archive };
  });
}

async function start(t: Test, body: Buffer) {
  const dir = t.testdir();
  const publisher = await startPublisher(t, serveFile(body));
  const plan = planDownloads(blockFiles(`${publisher.url}/zip/main`));
  const get = (): Promise<DownloadResult> =>
    download(plan[0]!, {
      dir,
      since: new Date(8.64e15),
      limits: TEST_LIMITS,
      mirror: undefined,
      acceptSmall: false,
      readVariable: () => undefined,
      now: () => new Date(),
      onBytes: () => undefined,
    });
  return { dir, publisher, plan, get };
}

t.test('an archive is downloaded once and its matching files are unpacked', async (t) => {
  const { dir, publisher, plan, get } = await start(t, FIRST);
  t.equal(plan.length, 1);
  t.match(await get(), { outcome: 'downloaded', file: 'own/blocks.zip' });
  const files = readdirSync(join(dir, 'own'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\./.test(name),
  );
  t.same(files.sort(), [
    'blocks.zip',
    'country/ad/ad-ipv4.txt',
    'country/ad/ad-ipv6.txt',
    'country/zz/zz-ipv4.txt',
  ]);
  t.equal(readFileSync(join(dir, 'own/country/ad/ad-ipv6.txt'), 'utf8'), '2a02:8060::/31\n');
  t.match(await get(), { outcome: 'unchanged' });
  t.equal(publisher.asked.length, 2);
});

t.test('files missing from a new archive are removed, and a damaged archive changes nothing', async (t) => {
  const { dir, publisher, get } = await start(t, FIRST);
  await get();
  const damaged = pack({
    'a/country/ad/ad-ipv4.txt': '1.0.0.0/8\n'.repeat(50),
    'a/country/ad/ad-ipv6.txt': 'x',
  });
  damaged[60]! ^= 0xff;
  publisher.answer = serveFile(damaged, '"two"');
  t.match(await get(), { outcome: 'failed', failure: 'truncated', copy: { etag: '"one"' } });
  const climbing = { 'a/country/ad/ad-ipv4.txt': '', 'a/../../country/zz/zz-ipv4.txt': 'evil' };
  publisher.answer = serveFile(pack(climbing), '"evil"');
  t.match(await get(), { outcome: 'failed', text: /damaged zip directory/ });
  publisher.answer = serveFile(pack({ 'a/readme.txt': 'moved' }), '"three"');
  t.match(await get(), { outcome: 'failed', failure: 'container', text: /none of the expected files/ });
  t.ok(existsSync(join(dir, 'own/country/zz/zz-ipv4.txt')));
  publisher.answer = serveFile(pack({ 'a/country/ad/ad-ipv4.txt': '85.94.160.0/20\n' }), '"four"');
  t.match(await get(), { outcome: 'downloaded' });
  t.notOk(existsSync(join(dir, 'own/country/zz/zz-ipv4.txt')));
  t.notOk(existsSync(join(dir, 'own/country/ad/ad-ipv6.txt')));
  t.equal(readFileSync(join(dir, 'own/country/ad/ad-ipv4.txt'), 'utf8'), '85.94.160.0/20\n');
});

t.test('when the files cannot be written, the received archive is kept for the next attempt', async (t) => {
  const { dir, publisher, plan, get } = await start(t, FIRST);
  mkdirSync(join(dir, 'own'));
  writeFileSync(join(dir, 'own/country'), 'a file in the place of the folder');
  await t.rejects(get(), { code: /^(EEXIST|ENOTDIR)$/ });
  t.same(readFileSync(statePaths(dir, plan[0]!).part), FIRST);
  t.equal(publisher.asked.length, 1);
});

t.test('an entry is matched by the end of its path, and never points outside the folder', (t) => {
  const files = blockFiles('https://example.org/zip');
  t.equal(entryName('x-main/country/ad/ad-ipv4.txt', files), 'country/ad/ad-ipv4.txt');
  t.equal(entryName('country/ad/ad-ipv6.txt', files), 'country/ad/ad-ipv6.txt');
  const others = [
    'ad/ad-ipv4.txt',
    'country/../ad-ipv4.txt',
    'country/ad/ad.json',
    'country/a\\b/ad-ipv4.txt',
  ];
  for (const other of others) t.equal(entryName(other, files), undefined, other);
  t.end();
});

t.test('an archive with a file above its maximum changes nothing', async (t) => {
  const { dir, publisher, get } = await start(t, FIRST);
  await get();
  const large = 'x'.repeat(DEFAULT_UNPACKED_BYTES + 1);
  publisher.answer = serveFile(pack({ 'blocks-main/country/ad/ad-ipv4.txt': large }), '"large"');
  t.match(await get(), { outcome: 'failed', failure: 'large' });
  t.equal(readFileSync(join(dir, 'own/country/ad/ad-ipv4.txt'), 'utf8'), '85.94.160.0/19\n');
});
