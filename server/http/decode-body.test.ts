import t from 'tap';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Failure } from '../failure.js';
import { decodeBody } from './decode-body.js';

const LIMIT_BYTES = 4096;
const VALUE = { ips: ['8.8.8.8', 'ä'] };
const JSON_BYTES = Buffer.from(JSON.stringify(VALUE));
const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;
const entries = Object.entries(CODINGS) as [string, (bytes: Buffer) => Buffer][];

const decode = (bytes: Buffer, coding?: string): unknown =>
  decodeBody(bytes, {
    coding,
    limitBytes: LIMIT_BYTES,
    tooLarge: () => new Failure(413, 'too large'),
  });

t.test('every coding is decoded, regardless of case; a byte order mark is dropped', (t) => {
  t.same(decode(JSON_BYTES), VALUE);
  t.same(decode(JSON_BYTES, ' Identity '), VALUE);
  t.same(decode(Buffer.concat([Buffer.from('\ufeff'), JSON_BYTES])), VALUE);
  for (const [coding, encode] of entries) t.same(decode(encode(JSON_BYTES), coding.toUpperCase()), VALUE);
  t.equal(decode(Buffer.alloc(0)), undefined);
  t.end();
});

t.test('a body cut at any byte is 400 with the name of its coding', (t) => {
  for (const [coding, encode] of entries) {
    const whole = encode(JSON_BYTES);
    const others = new Set<string>();
    for (let end = 0; end < whole.length; end++) {
      const found = decode(whole.subarray(0, end), coding);
      if (!(
        found instanceof Failure &&
        found.code === 400 &&
        found.message.includes(`not valid ${coding} data`)
      ))
        others.add(`${end}: ${JSON.stringify(found)}`);
    }
    t.strictSame([...others], [], coding);
  }
  t.end();
});

t.test('a body with any bit flipped is 400 or 413 or a value, and never an error', (t) => {
  for (const [, encode] of entries) {
    const whole = encode(JSON_BYTES);
    let refused = 0;
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const damaged = Buffer.from(whole);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      for (const [coding] of entries) {
        const found = decode(damaged, coding);
        if (found instanceof Failure) refused++;
      }
    }
    t.ok(refused > whole.length, 'most are refused');
  }
  t.end();
});

t.test('a body that is larger than the limit after decompression is 413', (t) => {
  const bomb = Buffer.from(`{"ips":["${'a'.repeat(64 * 1024 * 1024)}"]}`);
  for (const [coding, encode] of entries) {
    const found = decode(encode(bomb), coding);
    t.match(found, { code: 413 }, coding);
  }
  const exact = Buffer.from(`{"x":"${'a'.repeat(LIMIT_BYTES - 8)}"}`);
  t.equal(exact.length, LIMIT_BYTES);
  for (const [coding, encode] of entries) {
    t.notMatch(decode(encode(exact), coding), { code: 413 }, `${coding}: the limit itself is allowed`);
    t.match(decode(encode(Buffer.concat([exact, Buffer.from(' ')])), coding), { code: 413 }, coding);
  }
  t.end();
});

t.test('unknown codings, other text than JSON, deep values and replaced prototypes are 400', (t) => {
  for (const coding of ['zstd', 'gzip, br', '', 'constructor', '__proto__'])
    t.match(decode(JSON_BYTES, coding), { code: 400, message: `unsupported Content-Encoding "${coding}"` });
  for (const text of ['{"ips":', '[1,]', '\u0000', '{]'])
    t.match(decode(Buffer.from(text)), { code: 400, message: 'the body is not valid JSON' }, text);
  const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  t.notMatch(decode(nested(32)), { code: 400 });
  t.match(decode(nested(33)), { code: 400, message: 'more than 32 levels' });
  t.match(decode(Buffer.from('{"x":[{"__proto__":{}}]}')), { code: 400, message: '__proto__' });
  t.end();
});
