import t from 'tap';
import { mergeAs4Path, widenPath } from './as4-path.js';
import { AsPath } from './as-path.js';
import { PATH_ENDS_IN_SET, PATH_HAS_CONFEDERATION, PATH_HAS_NO_ORIGIN, PATH_HAS_SET } from './path-table.js';
import { asPath, u8, u32, viewOf } from './testing/mrt-bytes.js';
import { normalPath } from './testing/rib-lines.js';

const path = new AsPath();

function read(bytes: Uint8Array): { asns: number[]; flags: number } | undefined {
  return readView(viewOf(bytes));
}

function readView(value: DataView): { asns: number[]; flags: number } | undefined {
  if (!path.read(value, 0, value.byteLength)) return undefined;
  return { asns: Array.from(path.asns.subarray(0, path.length), (asn) => asn >>> 0), flags: path.flags };
}

t.test('a path is its AS numbers, without sets and confederations', (t) => {
  const none = PATH_HAS_NO_ORIGIN;
  const endsInSet = PATH_HAS_SET | PATH_ENDS_IN_SET;
  const cases: [text: string, asns: number[], flags: number][] = [
    ['701 1299 1299 4200000000', [701, 1299, 1299, 4_200_000_000], 0],
    ['701 {1,2} 3', [701, 3], PATH_HAS_SET],
    ['701 38266 {38266}', [701, 38_266, 38_266], endsInSet],
    ['701 {38266,38266}', [701, 38_266], endsInSet],
    ['701 {1,2}', [701], endsInSet | none],
    ['701 {1} {2}', [701, 2], endsInSet],
    ['{5}', [5], endsInSet],
    ['(65001 65002) 701', [701], PATH_HAS_CONFEDERATION],
    ['[65001,65002] 701 {7}', [701, 7], PATH_HAS_CONFEDERATION | endsInSet],
    ['701 {7} (65001)', [701, 7], PATH_HAS_CONFEDERATION | endsInSet],
    ['(65001)', [], PATH_HAS_CONFEDERATION | none],
    ['', [], none],
  ];
  for (const [text, asns, flags] of cases) {
    t.strictSame(read(asPath(text)), { asns, flags }, text);
    t.equal(normalPath(text), `${asns.join(' ')}|${flags}`, `the other way round: ${text}`);
  }
  t.end();
});

t.test('adjacent sequences are one path', (t) => {
  const split = Buffer.concat([asPath('1 2'), asPath('3'), asPath('4 5')]);
  t.strictSame(read(split), { asns: [1, 2, 3, 4, 5], flags: 0 });
  t.end();
});

t.test('a malformed path is rejected', (t) => {
  const good = asPath('1 2 {3}');
  for (let cut = 1; cut < good.length; cut++) {
    // Behind the first segment it is a path again, if another one.
    if (cut !== 10) t.equal(read(good.subarray(0, cut)), undefined, `cut at ${cut}`);
  }
  t.equal(read(u8(2, 0)), undefined, 'an empty segment');
  t.equal(read(Buffer.concat([u8(5, 1), u32(1)])), undefined, 'an unknown segment');
  t.equal(read(Buffer.concat([u8(0, 1), u32(1)])), undefined, 'no segment');
  t.end();
});

t.test('the longest possible attribute value is read', (t) => {
  const segment = Buffer.concat([u8(2, 255), Buffer.alloc(510, 1)]);
  const value = Buffer.concat(Array.from({ length: 127 }, () => segment));
  t.equal(readView(widenPath(viewOf(value))!)!.asns.length, 127 * 255);
  t.end();
});

t.test('AS4_PATH replaces the end of AS_PATH (RFC 6793 §4.2.3)', (t) => {
  const cases: [old: string, wide: string, merged: string][] = [
    ['64502 23456 23456 3', '131072 131073 3', '64502 131072 131073 3'],
    ['23456 3', '131072 3', '131072 3'],
    // AS4_PATH is longer than AS_PATH and must be ignored.
    ['64502 23456', '1 2 131072', '64502 23456'],
    // A set counts as one AS, a confederation not at all.
    ['64502 23456 {5,23456}', '131072 {5,131073}', '64502 131072 {5,131073}'],
    ['(65001) 64502 23456', '131072', '(65001) 64502 131072'],
    ['(65001) 23456', '131072', '(65001) 131072'],
    ['64502 (65001) 23456', '131072', '64502 (65001) 131072'],
    // Confederations do not belong into AS4_PATH.
    ['64502 23456', '(65001) 131072', '64502 131072'],
    ['1 2 3', '', '1 2 3'],
  ];
  for (const [old, wide, merged] of cases) {
    const found = readView(mergeAs4Path(viewOf(asPath(old, 2)), viewOf(asPath(wide)))!);
    t.strictSame(found, read(asPath(merged)), `${old} and ${wide}`);
  }
  t.equal(mergeAs4Path(viewOf(asPath('1 2', 2)), viewOf(asPath('1 2').subarray(1))), undefined);
  t.equal(mergeAs4Path(viewOf(asPath('1 2', 2).subarray(1)), viewOf(asPath('1 2'))), undefined);
  t.equal(widenPath(viewOf(asPath('1 2'))), undefined, 'AS numbers of 4 bytes are none of 2');
  t.end();
});
