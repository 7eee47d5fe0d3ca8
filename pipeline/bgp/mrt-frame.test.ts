import t from 'tap';
import { MrtFrames, type MrtRecord } from './mrt-frame.js';
import { record, TIME, u8, u16, u32 } from './testing/mrt-bytes.js';

/**
 * Returns every record of a dump as `offset type/subtype: hex`; the dump is read in chunks of these sizes, repeated.
 */
function recordsOf(dump: Buffer, sizes: readonly number[] = [dump.length]): string[] {
  const records: string[] = [];
  const frames = new MrtFrames({ record: (one) => records.push(textOf(one)) });
  for (let at = 0, i = 0; at < dump.length; i++) {
    const size = sizes[i % sizes.length]!;
    frames.push(dump.subarray(at, at + size));
    at += size;
  }
  frames.end();
  return records;
}

function textOf({ bytes, start, end, offset, time, type, subtype }: MrtRecord): string {
  return `${offset} ${time} ${type}/${subtype}: ${Buffer.from(bytes.buffer, start, end - start).toString('hex')}`;
}

t.test('a record has its offset, time, type and message', (t) => {
  const dump = Buffer.concat([
    record(13, 1, u8(1, 2, 3)),
    record(16, 4, Buffer.alloc(0), TIME + 1),
    record(12, 2, u8(4)),
  ]);
  t.strictSame(recordsOf(dump), [`0 ${TIME} 13/1: 010203`, `15 ${TIME + 1} 16/4: `, `27 ${TIME} 12/2: 04`]);
  t.end();
});

t.test('property: records do not depend on the chunks', (t) => {
  const sizes = [0, 5, 700, 70_000, 1, 600_000, 3];
  const dump = Buffer.concat(sizes.map((size, i) => record(13, i, Buffer.alloc(size, i))));
  const whole = recordsOf(dump);
  t.equal(whole.length, sizes.length);
  for (const cuts of [[1_000], [11, 13, 4_096], [65_536], [1, 524_288], [524_287, 2]]) {
    t.strictSame(recordsOf(dump, cuts), whole);
  }
  const small = dump.subarray(0, 12 + 12 + 5 + 12 + 700);
  t.strictSame(recordsOf(small, [1]), recordsOf(small));
  t.end();
});

t.test('hostile: a dump cut inside a record is rejected', (t) => {
  const dump = Buffer.concat([record(13, 1, u8(1, 2, 3)), record(13, 2, u8(4))]);
  for (let cut = 0; cut <= dump.length; cut++) {
    const isWhole = cut === 0 || cut === 15 || cut === dump.length;
    if (isWhole) t.doesNotThrow(() => recordsOf(dump.subarray(0, cut)));
    else {
      const offset = cut < 15 ? 0 : 15;
      t.throws(() => recordsOf(dump.subarray(0, cut)), { name: 'MrtError', offset, found: /is incomplete/ });
    }
  }
  t.end();
});

t.test('reading stops at an invalid header', (t) => {
  const good = record(13, 1, u8(1, 2, 3));
  // The older framing of January 2000, garbage behind the first record, and an absurd length.
  const garbage = Buffer.from('00c00002000000000a00000018', 'hex');
  t.throws(() => recordsOf(Buffer.concat([good, garbage, good])), {
    name: 'MrtError',
    offset: 15,
    message: /^at byte 15: not an MRT record: unknown type 0$/,
  });
  const endless = Buffer.concat([u32(TIME), u16(13, 2), u32(0x7fff_ffff)]);
  t.throws(() => recordsOf(Buffer.concat([good, endless])), {
    name: 'MrtError',
    message: /^at byte 15: .* its length is 2147483647 bytes, expected at most 67108864$/,
  });
  t.end();
});
