import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { openFileAt } from '../../../fixtures/open-file.js';
import { readGz, readPlain } from './containers.js';
import type { Container } from '../published-source.js';
import { FeedError, type Refusal } from '../feed-error.js';

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const DIR = t.testdir({ feed: {} });

function fileOf(bytes: Buffer | string, container: Container) {
  const path = join(DIR, 'feed', 'file');
  writeFileSync(path, bytes);
  return openFileAt(path, container);
}

function refusal(kind: Refusal, found: RegExp) {
  return { name: 'FeedError', refusal: kind, file: 'feed/file', found };
}

const TEXT = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `row ${i}\n`).join(''));

t.test('a plain file is yielded unchanged, and every byte is reported', async (t) => {
  let reported = 0;
  const file = { ...fileOf(TEXT, 'plain'), onRead: (bytes: number) => (reported += bytes) };
  t.ok((await collect(readPlain(file))).equals(TEXT));
  t.equal(reported, TEXT.length);
});

t.test('all members of a gzip file are unpacked, and its packed bytes are reported', async (t) => {
  const packed = Buffer.concat([gzipSync(TEXT), gzipSync('and more\n')]);
  let reported = 0;
  const file = { ...fileOf(packed, 'gz'), onRead: (bytes: number) => (reported += bytes) };
  t.ok((await collect(readGz(file))).equals(Buffer.concat([TEXT, Buffer.from('and more\n')])));
  t.equal(reported, packed.length);
});

t.test('the error for another container names what was found', async (t) => {
  const page = '<!DOCTYPE html>\n<html><title>429 Too Many Requests</title></html>';
  const seen = [
    [page, 'gz', /expected a gzip file, found an HTML page: "<!DOCTYPE html> <html><title>429/],
    [page, 'plain', /expected unpacked text, found an HTML page/],
    [`\ufeff <?xml version="1.0"?>\n${page}`, 'plain', /found an HTML page/],
    ['INVALID TOKEN', 'gz', /found text: "INVALID TOKEN"/],
    [Buffer.from('89504e470d0a1a0a', 'hex'), 'gz', /found bytes 89504e470d0a1a0a/],
    [gzipSync('rows'), 'plain', /expected unpacked text, found a gzip file/],
    [Buffer.from('PK\u0003\u0004more'), 'gz', /expected a gzip file, found a zip/],
  ] as const;
  for (const [bytes, container, found] of seen) {
    const read = container === 'gz' ? readGz : readPlain;
    await t.rejects(collect(read(fileOf(bytes, container))), refusal('container', found));
  }
});

t.test('text with the beginning of a signature is text', async (t) => {
  for (const text of ['P', 'PK', '<htmlish,row>', '\u001f']) {
    t.equal((await collect(readPlain(fileOf(text, 'plain')))).toString(), text);
  }
});

t.test('an empty file is truncated', async (t) => {
  await t.rejects(collect(readPlain(fileOf('', 'plain'))), refusal('truncated', /the file is empty/));
  await t.rejects(collect(readGz(fileOf('', 'gz'))), refusal('truncated', /the file is empty/));
});

t.test('a file shorter than its size is truncated', async (t) => {
  const file = { ...fileOf(TEXT, 'plain'), sizeBytes: TEXT.length + 1 };
  await t.rejects(collect(readPlain(file)), refusal('truncated', /ends after \d+ of \d+ bytes/));
});

t.test('a file that does not exist is an error of the system, not a FeedError', async (t) => {
  const file = { ...fileOf(TEXT, 'gz'), path: '/nowhere/at/all' };
  await t.rejects(collect(readGz(file)), { code: 'ENOENT' });
});

t.test('hostile: a gzip file truncated at any byte is refused', async (t) => {
  const packed = gzipSync('first row\nsecond row\n');
  for (let cut = 0; cut < packed.length; cut++) {
    const file = fileOf(packed.subarray(0, cut), 'gz');
    await t.rejects(collect(readGz(file)), { name: 'FeedError', refusal: 'truncated' }, `cut at ${cut}`);
  }
});

t.test('hostile: a gzip file with a flipped bit yields the same bytes or is refused', async (t) => {
  const unpacked = Buffer.from('first row\nsecond row\n');
  const packed = Buffer.concat([gzipSync(unpacked.subarray(0, 10)), gzipSync(unpacked.subarray(10))]);
  let refused = 0;
  for (let bit = 0; bit < packed.length * 8; bit++) {
    const flipped = Buffer.from(packed);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    try {
      t.ok((await collect(readGz(fileOf(flipped, 'gz')))).equals(unpacked), `bit ${bit}`);
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
      refused++;
    }
  }
  t.ok(refused > packed.length * 4, `${refused} flips refused`);
});

t.test('a second member that begins with a zero byte is refused', async (t) => {
  const first = gzipSync('first\n');
  const packed = Buffer.concat([first, gzipSync('second\n')]);
  packed[first.length] = 0;
  await t.rejects(collect(readGz(fileOf(packed, 'gz'))), refusal('truncated', /no gzip member at byte/));
});

t.test('files are closed when a reader stops early', async (t) => {
  for await (const chunk of readGz(fileOf(gzipSync(TEXT), 'gz'))) {
    t.ok(chunk.length > 0);
    break;
  }
});
