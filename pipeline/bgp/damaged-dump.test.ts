import t from 'tap';
import { MrtError } from './mrt-error.js';
import { countsOf } from './testing/route-lines.js';
import { DUMP, read } from './testing/small-dump.js';

const WHOLE = read(DUMP);
if (WHOLE instanceof MrtError) throw WHOLE;

t.test('the undamaged dump is read without rejections', (t) => {
  t.equal(WHOLE.lines.length, 7);
  t.match(countsOf(WHOLE.tally), { accepted: 6, rejected: 0, notes: {} });
  t.end();
});

t.test('hostile: a dump cut at any byte is rejected, or gives the records before the cut', (t) => {
  const ends: number[] = [];
  for (let at = 0; at < DUMP.length; at += 12 + DUMP.readUInt32BE(at + 8)) ends.push(at);
  for (let cut = 0; cut < DUMP.length; cut++) {
    const found = read(DUMP.subarray(0, cut));
    if (found instanceof MrtError) continue;
    t.ok(ends.includes(cut), `cut at ${cut}`);
    t.equal(found.tally.rejected, 0);
    t.equal(found.tally.rows, ends.indexOf(cut));
  }
  t.end();
});

t.test('hostile: whatever bit is flipped, every lost entry is counted', (t) => {
  let refused = 0;
  let counted = 0;
  let silent = 0;
  for (let bit = 0; bit < DUMP.length * 8; bit++) {
    const flipped = Buffer.from(DUMP);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    const found = read(flipped);
    if (found instanceof MrtError) refused++;
    else if (found.tally.rejected > 0 || Object.keys(found.tally.notes).length > 0) counted++;
    else if (found.lines.length < WHOLE.lines.length) t.fail(`bit ${bit}: ${found.lines.join()}`);
    else silent++;
  }
  t.ok(
    refused > 200 && counted > 800 && silent > 1_000,
    `${refused} refused, ${counted} counted, ${silent} neither`,
  );
  t.end();
});

t.test('hostile: replacing any two bytes causes no crash and no hang', (t) => {
  let state = 1;
  for (let round = 0; round < 1_500; round++) {
    const damaged = Buffer.from(DUMP);
    for (let i = 0; i < 2; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      damaged[(state >>> 8) % damaged.length] = state >>> 24;
    }
    const found = read(damaged);
    if (found instanceof MrtError) continue;
    const isCounted = found.tally.rejected > 0 || Object.keys(found.tally.notes).length > 0;
    if (!isCounted && found.lines.length < WHOLE.lines.length) t.fail(`round ${round}`);
  }
  t.end();
});

t.test('hostile: random bytes are rejected', (t) => {
  let state = 1;
  for (let round = 0; round < 200; round++) {
    const noise = Buffer.alloc(300);
    for (let at = 0; at < noise.length; at++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      noise[at] = state >>> 16;
    }
    const found = read(noise);
    if (!(found instanceof MrtError)) t.fail(`round ${round}`);
  }
  t.end();
});

t.test('property: entries and counts do not depend on the chunks', (t) => {
  for (const sizes of [[1], [2, 3], [7, 100, 1], [13], [DUMP.length - 1]]) {
    const found = read(DUMP, sizes);
    t.strictSame(found, WHOLE);
  }
  t.end();
});
