import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { zipFile } from '../../../fixtures/generate/zip-file.js';
import { openFileAt } from '../../../fixtures/open-file.js';
import type { Container, OpenFile } from '../published-source.js';
import { readUnpacked } from './unpacked-file.js';
import { withZip } from './zip-archive.js';

const ROWS = Buffer.from('first row\nsecond row\n'.repeat(100_000));

function fileOf(
  t: Test,
  { container, bytes }: { readonly container: Container; readonly bytes: Buffer },
  maxUnpackedBytes: number,
): OpenFile {
  const path = join(t.testdir({ feed: {} }), 'feed', 'file');
  writeFileSync(path, bytes);
  return { ...openFileAt(path, container), maxUnpackedBytes };
}

async function countBytes(chunks: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}

function bzip2(bytes: Buffer): Buffer {
  return spawnSync('bzip2', ['-c'], { input: bytes, maxBuffer: 1e8 }).stdout;
}

const hasBzip2 = spawnSync('bzip2', ['--help']).error === undefined;

t.test('a file may have its maximum size unpacked, and is refused by name above it', async (t) => {
  const containers: readonly { readonly container: Container; readonly bytes: Buffer }[] = [
    { container: 'plain', bytes: ROWS },
    { container: 'gz', bytes: gzipSync(ROWS) },
    ...(hasBzip2 ? [{ container: 'bz2', bytes: bzip2(ROWS) } as const] : []),
  ];
  for (const packed of containers) {
    t.equal(await countBytes(readUnpacked(fileOf(t, packed, ROWS.length))), ROWS.length, packed.container);
    await t.rejects(countBytes(readUnpacked(fileOf(t, packed, ROWS.length - 1))), {
      name: 'FeedError',
      refusal: 'too-large',
      file: 'feed/file',
      found: `more than 2,099,999 bytes unpacked`,
    });
  }
});

t.test('each entry of a zip may have the maximum size', async (t) => {
  const names = ['a.csv', 'b.csv'];
  const bytes = zipFile(names.map((name) => ({ name, bytes: ROWS })));
  const read = (maxUnpackedBytes: number): Promise<number> =>
    withZip(fileOf(t, { container: 'zip', bytes }, maxUnpackedBytes), async (zip) => {
      let sum = 0;
      for (const name of names) sum += await countBytes(zip.read(name));
      return sum;
    });
  t.equal(await read(ROWS.length), 2 * ROWS.length);
  const found = 'zip entry a.csv: more than 2,099,999 bytes unpacked';
  await t.rejects(read(ROWS.length - 1), { name: 'FeedError', refusal: 'too-large', found });
});

t.test('a zip with a directory of megabytes is refused', async (t) => {
  const contents = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `${i}-${'x'.repeat(60_000)}`, bytes: Buffer.alloc(0) }));
  const open = (count: number): Promise<number> => {
    const file = fileOf(t, { container: 'zip', bytes: zipFile(contents(count)) }, Infinity);
    return withZip(file, ({ names }) => Promise.resolve(names.length));
  };
  t.equal(await open(133), 133);
  await t.rejects(open(134), {
    name: 'FeedError',
    refusal: 'too-large',
    found: 'zip directory of more than 8,000,000 bytes',
  });
});
