import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { DEFAULT_UNPACKED_BYTES } from '../input/containers/unpacked-size.js';
import { readUnpacked } from '../input/containers/unpacked-file.js';
import { withZip } from '../input/containers/zip-archive.js';
import { matchesName } from '../input/name-pattern.js';
import type { OpenFile } from '../input/published-source.js';
import { ribDownloads, DEFAULT_COLLECTORS } from '../input/routing-downloads.js';
import { LISTS } from '../lists/catalogue.js';
import { FETCHED, filesOfSource, type InputFile } from './sources.js';

const REAL_FILES = join(PROJECT_ROOT, '../shared/data/feeds');
const DECLARED = FETCHED.flatMap(filesOfSource);
const maxOf = ({ maxUnpackedBytes = DEFAULT_UNPACKED_BYTES }: InputFile): number => maxUnpackedBytes;

t.test('lists are small, except those with a row per proxy, egress network or server', (t) => {
  const large = LISTS.filter(({ files }) => files.some((file) => maxOf(file) > DEFAULT_UNPACKED_BYTES));
  t.same(
    large.map(({ id }) => id),
    ['ip2proxy', 'nordvpn', 'apple-relay', 'open-proxies'],
  );
  t.end();
});

t.test('each maximum is at least four times the minimum of the download', (t) => {
  for (const file of [...DECLARED, ...ribDownloads(DEFAULT_COLLECTORS)]) {
    const { folder, name, download } = file;
    if (download) t.ok(maxOf(file) >= 4 * download.minBytes, `${folder}/${name}`);
  }
  t.end();
});

t.test(
  'the real files have at most a third of their maximum',
  { skip: existsSync(REAL_FILES) ? false : `no ${REAL_FILES}` },
  async (t) => {
    let files = 0;
    for (const id of readdirSync(REAL_FILES, { recursive: true, encoding: 'utf8' })) {
      const declared = DECLARED.find(({ folder, name }) => matchesName(`${folder}/${name}`, id));
      // The slice of a dump is cut on purpose.
      if (!declared || id.includes('.slice.')) continue;
      files++;
      const { folder, name, container } = declared;
      const path = join(REAL_FILES, id);
      const maxUnpackedBytes = Math.floor(maxOf(declared) / 3);
      const sizeBytes = statSync(path).size;
      await readAll({
        id,
        folder,
        name,
        container,
        path,
        sizeBytes,
        maxUnpackedBytes,
        onRead: () => undefined,
      });
    }
    t.ok(files > 80, `${files} files`);
  },
);

async function readAll(file: OpenFile): Promise<void> {
  if (file.container !== 'zip') return drain(readUnpacked(file));
  await withZip(file, async (zip) => {
    for (const name of zip.names) await drain(zip.read(name));
  });
}

async function drain(chunks: AsyncIterable<Buffer>): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true) continue;
}
