import t from 'tap';
import { newAddress } from './address.js';
import { parseDecimalAddress } from './decimal-address.js';

const MAX = 2n ** 128n - 1n;

function parse(text: string): bigint | undefined {
  const address = newAddress();
  if (!parseDecimalAddress(text, address)) return undefined;
  return address.reduce((value, word) => (value << 32n) | BigInt(word), 0n);
}

t.test('published integers are parsed exactly', (t) => {
  const address = newAddress();
  t.ok(parseDecimalAddress('16777216', address));
  t.same([...address], [0, 0, 0, 0x01000000]);
  t.ok(parseDecimalAddress('281470681743360', address), '::ffff:0:0');
  t.same([...address], [0, 0, 0xffff, 0]);
  t.ok(parseDecimalAddress('58568968490126724024678201257845850112', address));
  t.same([...address], [0x2c0ff918, 0x04060000, 0, 0], '2c0f:f918:406::');
  t.end();
});

t.test(
  'the parser agrees with BigInt on powers of two and ten, their neighbours, and random integers',
  (t) => {
    const values: bigint[] = [];
    for (let bits = 0n; bits <= 128n; bits++) values.push(2n ** bits - 1n, 2n ** bits, 2n ** bits + 1n);
    for (let digits = 0n; digits <= 39n; digits++) values.push(10n ** digits - 1n, 10n ** digits);
    let seed = 1n;
    for (let i = 0; i < 20_000; i++) {
      seed = (seed * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
      values.push((seed * seed * 0x9e3779b97f4a7c15n) >> (seed % 190n));
    }
    const wrong = values.filter((value) => parse(String(value)) !== (value <= MAX ? value : undefined));
    t.same(wrong, []);
    t.ok(values.filter((value) => value <= MAX).length > 5_000);
    t.end();
  },
);

t.test('text that is not a plain decimal integer below 2^128 is not accepted', (t) => {
  const texts = ['', '-', '-1', '+1', ' 1', '1 ', '01', '00', '1.0', '1e3', '0x10', '1n', '١', `${MAX + 1n}`];
  const long = ['1234567890123456789x', '99999999999999999999999999999999999999x', '1'.repeat(40)];
  for (const text of [...texts, ...long]) t.equal(parse(text), undefined, JSON.stringify(text));
  t.equal(parse('0'), 0n);
  t.equal(parse(String(MAX)), MAX);
  t.end();
});
