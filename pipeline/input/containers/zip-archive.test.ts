import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { zipFile } from '../../../fixtures/generate/zip-file.js';
import { openFileAt } from '../../../fixtures/open-file.js';
import { FeedError } from '../feed-error.js';
import { withZip } from './zip-archive.js';

const CONTENTS = [
  { name: 'folder/a.csv', bytes: Buffer.from('first row\nsecond row\n') },
  { name: 'folder/b.csv', bytes: Buffer.from('third row\n') },
];
const ROWS = CONTENTS.map(({ bytes }) => bytes.toString()).join('');

const DIR = t.testdir({ feed: {} });

function fileOf(bytes: Buffer | string) {
  const path = join(DIR, 'feed', 'file.zip');
  writeFileSync(path, bytes);
  return openFileAt(path, 'zip');
}

/** Reads all rows of both entries. */
async function rowsOf(bytes: Buffer | string): Promise<string> {
  return withZip(fileOf(bytes), async (zip) => {
    let rows = '';
    for (const { name } of CONTENTS) for await (const chunk of zip.read(name)) rows += chunk.toString();
    return rows;
  });
}

/** Returns the zip with some bytes replaced at an offset from a signature. */
function patched(signature: string, offset: number, bytes: readonly number[]): Buffer {
  const zip = zipFile(CONTENTS);
  Buffer.from(bytes).copy(zip, zip.indexOf(Buffer.from(signature, 'latin1')) + offset);
  return zip;
}
const LOCAL = 'PK\u0003\u0004';
const DIRECTORY = 'PK\u0001\u0002';
const END = 'PK\u0005\u0006';

t.test('entries are listed, and read in any order and repeatedly', async (t) => {
  await withZip(fileOf(zipFile(CONTENTS)), async (zip) => {
    t.same(zip.names, ['folder/a.csv', 'folder/b.csv']);
    for (const index of [1, 0, 1]) {
      const { name, bytes } = CONTENTS[index]!;
      let text = '';
      for await (const chunk of zip.read(name)) text += chunk.toString();
      t.equal(text, bytes.toString());
    }
  });
});

t.test('an entry has a modification time unless its packer had no clock', async (t) => {
  const dateOf = (bytes: Buffer, name = 'folder/a.csv'): Promise<Date | undefined> =>
    withZip(fileOf(bytes), (zip) => Promise.resolve(zip.modifiedAt(name)));
  t.same(await dateOf(zipFile(CONTENTS)), new Date('2026-11-17T00:00Z'));
  // 2025-07-22 23:14:58 as MS-DOS packs it: time, then date, both little-endian.
  const stamped = patched(DIRECTORY, 12, [0xdd, 0xb9, 0xf6, 0x5a]);
  t.same(await dateOf(stamped), new Date('2025-07-22T23:14:58Z'));
  t.equal(await dateOf(patched(DIRECTORY, 12, [0, 0, 0, 0])), undefined);
  t.equal(await dateOf(patched(DIRECTORY, 12, [0, 0, 0x21, 0])), undefined, '1980-01-01');
  t.equal(await dateOf(zipFile(CONTENTS), 'other.csv'), undefined);
});

t.test('folders are not entries', async (t) => {
  const zip = zipFile([{ name: 'folder/', bytes: Buffer.alloc(0) }, ...CONTENTS]);
  t.same(await withZip(fileOf(zip), (archive) => Promise.resolve(archive.names)), [
    'folder/a.csv',
    'folder/b.csv',
  ]);
});

t.test('every packed byte is reported once, those of skipped entries at the end', async (t) => {
  const zip = zipFile(CONTENTS);
  let reported = 0;
  const file = { ...fileOf(zip), onRead: (bytes: number) => (reported += bytes) };
  await withZip(file, async (archive) => {
    for (let round = 0; round < 2; round++)
      for await (const chunk of archive.read('folder/a.csv')) t.ok(chunk);
    t.ok(reported > 0 && reported < 60, `${reported} bytes of one entry`);
  });
  t.equal(reported, zip.length);
});

t.test('an unknown entry is refused as missing', async (t) => {
  const result = withZip(fileOf(zipFile(CONTENTS)), async (zip) => {
    for await (const chunk of zip.read('folder/c.csv')) t.fail(chunk.toString());
  });
  await t.rejects(result, {
    name: 'FeedError',
    refusal: 'missing',
    file: 'feed/file.zip',
    found: /folder\/c\.csv/,
  });
});

t.test('errors of the callback are thrown unchanged', async (t) => {
  const result = withZip(fileOf(zipFile(CONTENTS)), async (zip) => {
    for await (const chunk of zip.read('folder/a.csv')) throw new RangeError(chunk.toString());
  });
  await t.rejects(result, RangeError);
});

t.test('the error for a file that is not a zip names what was found', async (t) => {
  await t.rejects(rowsOf('<html><body>Invalid license key</body></html>'), {
    name: 'FeedError',
    refusal: 'container',
    found: 'expected a zip, found an HTML page: "<html><body>Invalid license key</body></html>"',
  });
  await t.rejects(rowsOf('THIS FILE CAN ONLY BE DOWNLOADED 5 TIMES'), {
    name: 'FeedError',
    refusal: 'container',
    found: /found text: "THIS FILE/,
  });
});

t.test('entries with unsupported compression or duplicate names are refused', async (t) => {
  const encrypted = patched(DIRECTORY, 8, [1]);
  await t.rejects(rowsOf(encrypted), {
    name: 'FeedError',
    refusal: 'container',
    found: /unsupported compression of zip entry folder\/a\.csv/,
  });
  const twice = zipFile([CONTENTS[0]!, CONTENTS[0]!]);
  await t.rejects(rowsOf(twice), {
    name: 'FeedError',
    refusal: 'container',
    found: /two zip entries named folder\/a\.csv/,
  });
});

t.test('an entry with another size or CRC-32 than in the directory is refused', async (t) => {
  const bytesPromised = CONTENTS[0]!.bytes.length;
  await t.rejects(rowsOf(patched(DIRECTORY, 24, [bytesPromised + 1])), {
    name: 'FeedError',
    refusal: 'truncated',
    found: /at least 20 bytes, the directory has 21|at least 21 bytes/,
  });
  await t.rejects(rowsOf(patched(DIRECTORY, 16, [0, 0, 0, 0])), {
    name: 'FeedError',
    refusal: 'truncated',
    found: /wrong CRC-32/,
  });
});

t.test('a zip bomb is stopped at its declared size', async (t) => {
  const bomb = zipFile([{ name: 'folder/a.csv', bytes: Buffer.alloc(50_000_000) }]);
  bomb.writeUInt32LE(1000, bomb.indexOf(Buffer.from(DIRECTORY, 'latin1')) + 24);
  let seen = 0;
  const result = withZip(fileOf(bomb), async (zip) => {
    for await (const chunk of zip.read('folder/a.csv')) seen += chunk.length;
  });
  await t.rejects(result, {
    name: 'FeedError',
    refusal: 'truncated',
    found: /the directory has 1000/,
  });
  t.equal(seen, 0);
});

t.test('an end record with too small a count is refused', async (t) => {
  await t.rejects(rowsOf(patched(END, 8, [1, 0, 1, 0])), {
    name: 'FeedError',
    refusal: 'truncated',
    found: /zip directory/,
  });
});

t.test('a missing local header is refused', async (t) => {
  await t.rejects(rowsOf(patched(LOCAL, 0, [0])), { name: 'FeedError' });
});

t.test('hostile: a zip truncated at any byte is refused', async (t) => {
  const zip = zipFile(CONTENTS);
  // One assertion for all, because an assertion takes longer than a read.
  const other = new Map<number, unknown>();
  for (let cut = 0; cut < zip.length; cut++) {
    const outcome: unknown = await rowsOf(zip.subarray(0, cut)).catch((error: unknown) => error);
    if (!(outcome instanceof FeedError && outcome.refusal === 'truncated')) other.set(cut, outcome);
  }
  t.same(other, new Map());
});

t.test('hostile: a zip with a changed byte yields the same rows or is refused', async (t) => {
  const zip = zipFile(CONTENTS);
  let refused = 0;
  const wrong: string[] = [];
  for (let at = 0; at < zip.length; at++) {
    for (const change of [0x01, 0x80, 0xff]) {
      const changed = Buffer.from(zip);
      changed[at]! ^= change;
      try {
        if ((await rowsOf(changed)) !== ROWS) wrong.push(`byte ${at} ^ ${change}`);
      } catch (error) {
        if (!(error instanceof FeedError)) throw error;
        refused++;
      }
    }
  }
  t.same(wrong, []);
  t.ok(refused > zip.length, `${refused} changes refused`);
});
