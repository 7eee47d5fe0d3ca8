import t from 'tap';
import { isPrivateAsn, isReservedAsn } from './as-number.js';

t.test('every reserved range is reserved from its first to its last number', (t) => {
  const ranges = [
    [0, 0],
    [23_456, 23_456],
    [64_496, 131_071],
    [4_200_000_000, 4_294_967_295],
  ] as const;
  for (const [first, last] of ranges) {
    t.equal(isReservedAsn(first), true, `${first}`);
    t.equal(isReservedAsn(last), true, `${last}`);
    if (first > 0) t.equal(isReservedAsn(first - 1), false, `${first - 1}`);
    t.equal(isReservedAsn(last + 1), last === 4_294_967_295, `${last + 1}`);
  }
  t.end();
});

t.test('numbers assigned since 2013 are not reserved', (t) => {
  for (const asn of [131_072, 133_120, 196_607, 199_680, 262_143, 394_240, 401_308]) {
    t.equal(isReservedAsn(asn), false, `${asn}`);
  }
  t.end();
});

t.test('private-use numbers are reserved', (t) => {
  for (const asn of [64_512, 65_534, 4_200_000_000, 4_294_967_294]) {
    t.equal(isPrivateAsn(asn), true, `${asn}`);
    t.equal(isReservedAsn(asn), true, `${asn}`);
  }
  for (const asn of [64_511, 65_535, 65_536, 4_199_999_999, 4_294_967_295, 0, 23_456]) {
    t.equal(isPrivateAsn(asn), false, `${asn}`);
  }
  t.end();
});
