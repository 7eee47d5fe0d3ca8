import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { openFileAt } from '../../../fixtures/open-file.js';
import { BUNZIP_COMMANDS, readBz2 } from './bunzip.js';
import type { OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';
import { readUnpacked } from './unpacked-file.js';

/** `first row` and `second row` packed with -9, then `third row` packed with -1, one line each. */
const TWO_STREAMS = Buffer.from(
  'QlpoOTFBWSZTWWHX46AAAAPRgAAQQAAPIZyAIAAhqA9JpvUIBoAFwcjmvipD3DVi7kinChIMOvx0' +
    'AEJaaDExQVkmU1m1PH6rAAAEUYAAEEAABGCUgCAAMQZMQQDT0jwfWA/F3JFOFCQtTx+qwA==',
  'base64',
);
const THREE_ROWS = Buffer.from('first row\nsecond row\nthird row\n');
const FIRST_STREAM_BYTES = 58;

/** 120,000 lines: `row 0` to `row 99`, repeated. */
const MANY_ROWS = Buffer.from(Array.from({ length: 120_000 }, (_, i) => `row ${i % 100}\n`).join(''));
const MANY = Buffer.from(
  'QlpoOTFBWSZTWacf0gIEfsfZgAAQQAB/4AAAkIBQBh4AAAAAAABTAABTAABTAABTAAAUqk0Y/VVPUep9CkchSOApHAUj2FI+' +
    'BSOgpHYUjwKRgpH8CkfQpHYUjBSMFI9BSMFIwUjBSMFIwUjBSMFI6CkYKRgpGCkchSMFIwUjBSMFIwUjBSPgUjBSMFIwUjBS' +
    'PYUjBSMFIwUjBSMFI9hSMFIwUjBSMFIwUj4FIwUjBSMFIwUjkKRgpGCkYKRgpGCkYKR0FIwUjBSMFI9BSMFIwUjBSMFIwUjB' +
    'SMFI7CkYKRgpHAUjBSMFIwUjBSMFIwUjBSMFI8CkYFIwUjBSMFIwUjBSMFIwUjBSMFIwUj8BRJX9CkYKRgpGCkYKRgpGCkYK' +
    'RgpH0KR4FIwUjBSMFIwUjBSMFIwUjBSMFI8BUqYKRgpHoKRgpGCkYKRgpGCkYKRgpHYKlTBSMFIwUjkKRgpGCkYKRgpGCkYK' +
    'R0CpUwUjBSMFIwUj2FIwUjBSMFIwUjBSPgKlTBSMFIwUjBSMFI+BSMFIwUjBSMFI9gqVMFIwUjBSMFIwUjBSOgpGCkYKRgpH' +
    'IKlTBSMFIwUjBSMFIwUjBSOwpGCkYKR6BUqYKRgpGCkYKRgpGCkYKRgpHgUjBSOAVKnAUjgKRgpGCkYKRgpGCkYKRgpGCkeA' +
    'qVPwFElf4CiSvwFElf8XckU4UJCnH9IC',
  'base64',
);

/** The installed ways to unpack; without a command the bundled decompressor is used. */
const WAYS = [
  ...BUNZIP_COMMANDS.filter((command) => spawnSync(command, ['--help']).error === undefined).map(
    (command) => [command],
  ),
  [],
];

function fileOf(t: Test, bytes: Buffer | string): OpenFile {
  const path = join(t.testdir({ feed: {} }), 'feed', 'file.bz2');
  writeFileSync(path, bytes);
  return openFileAt(path, 'bz2');
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

for (const commands of WAYS) {
  const way = commands[0] ?? 'the bundled decompressor';

  t.test(`${way} yields all streams of a file, and its packed bytes are reported`, async (t) => {
    let reported = 0;
    const file = { ...fileOf(t, TWO_STREAMS), onRead: (bytes: number) => (reported += bytes) };
    t.ok((await collect(readBz2(file, commands))).equals(THREE_ROWS));
    t.equal(reported, TWO_STREAMS.length);
    t.ok((await collect(readBz2(fileOf(t, MANY), commands))).equals(MANY_ROWS));
  });

  t.test(`hostile: ${way} refuses a file truncated anywhere except after a stream`, async (t) => {
    for (let cut = 0; cut < TWO_STREAMS.length; cut++) {
      const unpacked = collect(readBz2(fileOf(t, TWO_STREAMS.subarray(0, cut)), commands));
      if (cut === FIRST_STREAM_BYTES) t.ok((await unpacked).equals(THREE_ROWS.subarray(0, 21)));
      else await t.rejects(unpacked, { name: 'FeedError', refusal: 'truncated' }, `cut at ${cut}`);
    }
  });

  t.test(`hostile: ${way} refuses a file with a missing byte`, async (t) => {
    for (let missing = 4; missing < FIRST_STREAM_BYTES - 11; missing += 3) {
      const holed = Buffer.concat([TWO_STREAMS.subarray(0, missing), TWO_STREAMS.subarray(missing + 1)]);
      const unpacked = collect(readBz2(fileOf(t, holed), commands));
      await t.rejects(unpacked, { name: 'FeedError', refusal: 'truncated' }, `without byte ${missing}`);
    }
  });

  t.test(`hostile: ${way} yields the same bytes or refuses after a bit flip`, async (t) => {
    const one = TWO_STREAMS.subarray(0, FIRST_STREAM_BYTES);
    let refused = 0;
    for (let byte = 0; byte < one.length; byte++) {
      const flipped = Buffer.from(one);
      flipped[byte]! ^= 1 << (byte % 8);
      try {
        const unpacked = await collect(readBz2(fileOf(t, flipped), commands));
        t.ok(unpacked.equals(THREE_ROWS.subarray(0, 21)), `byte ${byte}`);
      } catch (error) {
        if (!(error instanceof FeedError)) throw error;
        refused++;
      }
    }
    t.ok(refused > one.length / 2, `${refused} refused`);
  });

  t.test(`${way} is stopped when its reader stops early`, async (t) => {
    for await (const chunk of readBz2(fileOf(t, MANY), commands)) {
      t.ok(chunk.length > 0);
      break;
    }
  });
}

t.test('a file with bytes after its last stream is refused', async (t) => {
  for (const commands of WAYS) {
    for (const garbage of ['garbage', '\0', 'BZh']) {
      const file = fileOf(t, Buffer.concat([TWO_STREAMS, Buffer.from(garbage)]));
      await t.rejects(collect(readBz2(file, commands)), { name: 'FeedError', refusal: 'truncated' });
    }
  }
});

t.test('the first installed command is used, else the bundled decompressor', async (t) => {
  const file = fileOf(t, TWO_STREAMS);
  for (const commands of [['no-such-bunzip'], ['no-such-bunzip', ...(WAYS[0] ?? [])]]) {
    t.ok((await collect(readBz2(file, commands))).equals(THREE_ROWS));
  }
});

t.test('the error contains the message of the decompressor', async (t) => {
  const file = fileOf(t, MANY);
  const dir = dirname(file.path);
  const complaint = join(dir, 'complains');
  writeFileSync(complaint, '#!/bin/sh\ncat >/dev/null\necho "all is lost" >&2\n', { mode: 0o755 });
  const silent = join(dir, 'fails');
  writeFileSync(silent, '#!/bin/sh\necho "half of it"\nexit 3\n', { mode: 0o755 });
  const killed = join(dir, 'is-killed');
  writeFileSync(killed, '#!/bin/sh\nkill -9 $$\n', { mode: 0o755 });
  for (const [command, found] of [
    [complaint, /damaged bzip2: .*complains: all is lost/],
    [silent, /fails: stopped early, exit code 3/],
    [killed, /is-killed: stopped early, SIGKILL/],
  ] as const) {
    await t.rejects(collect(readBz2(file, [command])), { name: 'FeedError', refusal: 'truncated', found });
  }
});

t.test('an HTML page or a shortened file is refused', async (t) => {
  await t.rejects(collect(readBz2(fileOf(t, '<!DOCTYPE html>\n<html></html>'))), {
    name: 'FeedError',
    refusal: 'container',
  });
  await t.rejects(collect(readBz2(fileOf(t, ''))), {
    name: 'FeedError',
    refusal: 'truncated',
    found: 'the file is empty',
  });
  for (const commands of WAYS) {
    const file = { ...fileOf(t, TWO_STREAMS), sizeBytes: TWO_STREAMS.length + 1 };
    await t.rejects(collect(readBz2(file, commands)), {
      name: 'FeedError',
      refusal: 'truncated',
      found: /ends after \d+ of \d+ bytes/,
    });
  }
});

t.test('a file that does not exist is an error of the system, not a FeedError', async (t) => {
  const file = { ...fileOf(t, TWO_STREAMS), path: '/nowhere/at/all' };
  for (const commands of WAYS) await t.rejects(collect(readBz2(file, commands)), { code: 'ENOENT' });
});

t.test('a file is unpacked according to its container', async (t) => {
  t.ok((await collect(readUnpacked(fileOf(t, TWO_STREAMS)))).equals(THREE_ROWS));
  const plain = { ...fileOf(t, THREE_ROWS), container: 'plain' } as const;
  t.ok((await collect(readUnpacked(plain))).equals(THREE_ROWS));
  t.throws(() => readUnpacked({ ...plain, container: 'zip' }), /has entries/);
});
