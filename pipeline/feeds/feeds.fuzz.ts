import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { zipFile, type ZipContent } from '../../fixtures/generate/zip-file.js';
import { openFileAt, PROJECT_ROOT } from '../../fixtures/open-file.js';
import { inserting } from '../fuzz/mutate.js';
import { unlessDeclared, type FuzzTarget, type TargetLifetime } from '../fuzz/target.js';
import { withZip } from '../input/containers/zip-archive.js';
import { FeedError, RefusedFiles } from '../input/feed-error.js';
import { matchesName } from '../input/name-pattern.js';
import type { PublishedFile } from '../input/published-source.js';
import { FEEDS } from './catalogue.js';
import type { Feed } from './feed.js';
import { tryFeed } from './testing/feed-trial.js';

const FIXTURES = join(PROJECT_ROOT, 'fixtures/feeds');

/** A text or binary file of a feed, unpacked, and how it is packed again. */
interface Unpacked {
  readonly feed: Feed;
  readonly declared: PublishedFile;
  readonly id: string;
  readonly bytes: Buffer;
  readonly pack: (bytes: Buffer) => Buffer;
}

const PIECES = [
  ',',
  ';',
  '|',
  '\t',
  '"',
  '""',
  '\n',
  '\r\n',
  '#',
  '::',
  '/',
  '255.255.255.255',
  '99999999999',
  '\ufeff',
];

/** Reads damaged files of every feed: CSV, text, ipdb. Packed ones are damaged before they are packed. */
export async function openTarget(t: TargetLifetime): Promise<FuzzTarget> {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-fuzz-feeds-'));
  t.teardown(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const ids = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' });
  const files: Unpacked[] = [];
  for (const feed of FEEDS) {
    for (const declared of feed.files) {
      const { folder, name } = declared;
      const matching = ids.filter((id) => matchesName(`${folder}/${name}`, id));
      for (const id of matching) files.push(...(await unpack({ feed, declared, id })));
    }
  }
  const path = join(dir, 'file');
  return {
    seeds: files.map(({ bytes }, i) => ({ name: String(i), bytes })),
    mutators: [inserting(PIECES)],
    run: async ({ name, bytes }) => {
      const file = files[Number(name)]!;
      const packed = file.pack(bytes);
      writeFileSync(path, packed);
      await read(file, path, packed.length);
    },
  };
}

async function read({ feed, declared, id }: Unpacked, path: string, sizeBytes: number): Promise<void> {
  const { folder, container } = declared;
  const about = { id, folder, name: id.slice(folder.length + 1), container, path, sizeBytes };
  try {
    await tryFeed(feed, [{ ...about, maxUnpackedBytes: 32_000_000, onRead: () => undefined }]);
  } catch (error) {
    unlessDeclared(error, [FeedError, RefusedFiles]);
  }
}

async function unpack(file: Omit<Unpacked, 'bytes' | 'pack'>): Promise<Unpacked[]> {
  const path = join(FIXTURES, file.id);
  const { container } = file.declared;
  if (container === 'gz') {
    const bytes = gunzipSync(readFileSync(path));
    return [{ ...file, bytes, pack: (damaged) => gzipSync(damaged, { level: 1 }) }];
  }
  if (container !== 'zip') return [{ ...file, bytes: readFileSync(path), pack: (damaged) => damaged }];
  const entries = await entriesOf(path);
  return entries.map(({ name, bytes }) => {
    const others = entries.filter((entry) => entry.name !== name);
    return { ...file, bytes, pack: (damaged) => zipFile([{ name, bytes: damaged }, ...others]) };
  });
}

async function entriesOf(path: string): Promise<ZipContent[]> {
  return withZip(openFileAt(path, 'zip'), async (zip) => {
    const entries: ZipContent[] = [];
    for (const name of zip.names) {
      const chunks: Buffer[] = [];
      for await (const chunk of zip.read(name)) chunks.push(chunk);
      entries.push({ name, bytes: Buffer.concat(chunks) });
    }
    return entries;
  });
}
