import t from 'tap';
import { DataCursor } from './data-cursor.js';
import { ValueDecoder } from './decode.js';
import type { MmdbError, MmdbFault } from './mmdb-error.js';
import * as hand from './testing/hand-made.js';
import { refusalOf } from './testing/refusal.js';

function decode(...parts: readonly Buffer[]): unknown {
  const section = Buffer.concat(parts);
  const decoder = new ValueDecoder(section);
  const value = decoder.decode(0);
  t.equal(decoder.end, section.length, 'the value takes the whole section');
  return value;
}

function faultOf(section: Buffer): MmdbError {
  return refusalOf(() => new ValueDecoder(section, 1000).decode(0));
}

t.test('numbers are decoded from the bytes of the format', (t) => {
  const cases: readonly (readonly [name: string, bytes: string, value: unknown])[] = [
    ['uint16 0', 'a0', 0],
    ['uint16 255', 'a1 ff', 255],
    ['uint16 65535', 'a2 ffff', 65_535],
    ['uint16 with leading zero', 'a2 0001', 1],
    ['uint32 0', 'c0', 0],
    ['uint32 2^24 - 1', 'c3 ffffff', 0xff_ffff],
    ['uint32 2^32 - 1', 'c4 ffffffff', 0xffff_ffff],
    ['int32 0', '00 01', 0],
    ['int32 500', '02 01 01f4', 500],
    ['int32 of three bytes is positive', '03 01 ffffff', 0xff_ffff],
    ['int32 -1', '04 01 ffffffff', -1],
    ['int32 -2^31', '04 01 80000000', -0x8000_0000],
    ['int32 2^31 - 1', '04 01 7fffffff', 0x7fff_ffff],
    ['uint64 0', '00 02', 0n],
    ['uint64 2^64 - 1', '08 02 ffffffffffffffff', 2n ** 64n - 1n],
    ['uint128 2^128 - 1', '10 03 ffffffffffffffffffffffffffffffff', 2n ** 128n - 1n],
    ['uint128 256', '02 03 0100', 256n],
    ['double 42.123456', '68 40450fcd67fd3f5b', 42.123456],
    ['double -0', '68 8000000000000000', -0],
    ['double 1e-300', '68 01a56e1fc2f8f359', 1e-300],
    ['float 1.1', '04 08 3f8ccccd', Math.fround(1.1)],
    ['false', '00 07', false],
    ['true', '01 07', true],
  ];
  for (const [name, bytes, value] of cases) {
    const decoded = decode(Buffer.from(bytes.replaceAll(' ', ''), 'hex'));
    t.ok(Object.is(decoded, value), `${name} is ${String(decoded)}`);
  }
  t.end();
});

t.test('strings and bytes are decoded at every size where the control byte changes', (t) => {
  const controls = new Map([
    [0, '40'],
    [28, '5c'],
    [29, '5d00'],
    [284, '5dff'],
    [285, '5e0000'],
    [65_820, '5effff'],
    [65_821, '5f000000'],
    [65_822, '5f000001'],
  ]);
  for (const [size, bytes] of controls) {
    const text = 'x'.repeat(size);
    t.equal(decode(Buffer.from(bytes, 'hex'), Buffer.from(text)), text, `string of ${size}`);
    t.same(decode(hand.payload(4, 'ab'.repeat(size))), Buffer.alloc(size, 0xab), `${size} bytes`);
  }
  t.end();
});

t.test('text is strict UTF-8 and may begin with a byte order mark', (t) => {
  t.equal(decode(hand.utf8('北京市 Köln 🗺')), '北京市 Köln 🗺');
  t.equal(decode(hand.utf8('\uFEFFa')), '\uFEFFa');
  for (const hex of ['ff', 'c080', 'eda080', 'f4908080', 'e4ba', '61c3']) {
    t.equal(faultOf(hand.payload(2, hex)).fault, 'utf8', hex);
  }
  t.end();
});

t.test('maps and arrays are decoded completely and frozen', (t) => {
  const value = decode(
    hand.map(
      ['empty', hand.map()],
      ['list', hand.array(hand.boolean(true), hand.utf8('a'), hand.array())],
      ['__proto__', hand.uint32(1)],
      ['constructor', hand.uint32(2)],
    ),
  ) as Record<string, unknown>;
  t.same(Object.keys(value), ['empty', 'list', '__proto__', 'constructor']);
  t.same(value['list'], [true, 'a', []]);
  t.equal(Object.getPrototypeOf(value), Object.prototype);
  t.equal(Object.entries(value)[2]?.[1], 1);
  t.ok(Object.isFrozen(value) && Object.isFrozen(value['list']) && Object.isFrozen(value['empty']));
  const many = hand.array(...Array.from({ length: 300 }, (_, i) => hand.uint32(i)));
  t.same(
    decode(many),
    Array.from({ length: 300 }, (_, i) => i),
  );
  t.end();
});

t.test('a map at the end of the section may have entries of two bytes', (t) => {
  t.same(decode(hand.map(['', hand.utf8('')])), { '': '' });
  t.equal(faultOf(hand.control(7, 1)).fault, 'count');
  t.end();
});

t.test('pointers are decoded on both sides of every size boundary', (t) => {
  const targets = new Map([
    [0, '2000'],
    [2047, '27ff'],
    [2048, '280000'],
    [526_335, '2fffff'],
    [526_336, '30000000'],
    [134_744_063, '37ffffff'],
    [134_744_064, '3808080800'],
    [0xffff_ffff, '38ffffffff'],
  ]);
  for (const [target, bytes] of targets) {
    const section = Buffer.from(bytes, 'hex');
    const cursor = new DataCursor(section, 0);
    cursor.open(0);
    t.equal(cursor.target, target, bytes);
    t.equal(cursor.end, section.length);
    t.same(hand.pointer(target), section);
  }
  const cursor = new DataCursor(Buffer.from('3f00000007', 'hex'), 0);
  cursor.open(0);
  t.equal(cursor.target, 7, 'the longest form ignores the low bits of the control byte');
  t.end();
});

t.test('the target of several pointers is one object', (t) => {
  const names = hand.map(['en', hand.utf8('Köln')]);
  const first = hand.map(['names', names]);
  const at = first.length - names.length;
  const section = Buffer.concat([
    first,
    hand.map(['names', hand.pointer(at)]),
    hand.map([hand.pointer(1), names]),
  ]);
  const decoder = new ValueDecoder(section);
  const one = decoder.decode(0) as { names: unknown };
  const two = decoder.decode(first.length) as { names: unknown };
  const three = decoder.decode(decoder.end) as { names: unknown };
  t.equal(one.names, two.names);
  t.equal(decoder.decode(0), one);
  t.same(three, one);
  t.not(three.names, one.names, 'equal bytes at another offset are another object');
  t.end();
});

t.test('a pointer to a later value gives the object that is decoded there', (t) => {
  const inner = hand.map(['en', hand.utf8('x')]);
  const first = hand.map(['a', hand.pointer(10)]);
  const padding = hand.utf8(
    'z'.repeat(10 - first.length - hand.control(7, 1).length - hand.utf8('b').length - 1),
  );
  const section = Buffer.concat([first, padding, hand.control(7, 1), hand.utf8('b'), inner]);
  const decoder = new ValueDecoder(section);
  const one = decoder.decode(0) as { a: unknown };
  const two = decoder.decode(first.length + padding.length) as { b: unknown };
  t.same(one.a, { en: 'x' });
  t.equal(one.a, two.b);
  t.end();
});

t.test('64 levels are decoded, 65 are refused', (t) => {
  t.ok(decode(hand.nested(64, hand.uint32(1))));
  t.equal(faultOf(hand.nested(65, hand.uint32(1))).fault, 'depth');
  t.end();
});

t.test('pointers that multiply values cost no more than their bytes', (t) => {
  const parts = [hand.array()];
  for (let level = 0, at = 0; level < 60; level++) {
    const next = hand.array(hand.pointer(at), hand.pointer(at));
    at = Buffer.concat(parts).length;
    parts.push(next);
  }
  const section = Buffer.concat(parts);
  t.ok(new ValueDecoder(section).decode(section.length - parts.at(-1)!.length));
  t.end();
});

t.test('errors name the offset and the path', (t) => {
  const cases: readonly (readonly [
    name: string,
    section: Buffer,
    fault: MmdbFault,
    offset: number,
    path: string,
  ])[] = [
    ['nothing at all', Buffer.alloc(0), 'truncated', 0, '/'],
    ['an extended type without its byte', Buffer.from([0]), 'truncated', 0, '/'],
    ['size bytes missing', Buffer.from([0x5e, 0]), 'truncated', 0, '/'],
    ['a pointer cut', Buffer.from([0x28, 0]), 'truncated', 0, '/'],
    ['a string cut', hand.map(['city', hand.payload(2, '6162').subarray(0, 2)]), 'truncated', 6, '/city'],
    ['type 12', Buffer.from([0, 5]), 'type', 0, '/'],
    ['type 13', Buffer.from([0, 6]), 'type', 0, '/'],
    ['type 16', Buffer.from([0, 9]), 'type', 0, '/'],
    ['type 7 written long', Buffer.from([0, 0]), 'type', 0, '/'],
    ['a double of 4 bytes', hand.payload(3, '00000000'), 'size', 0, '/'],
    ['a float of 8 bytes', hand.payload(15, '0000000000000000'), 'size', 0, '/'],
    ['a uint16 of 3 bytes', hand.payload(5, '000000'), 'size', 0, '/'],
    ['a uint32 of 5 bytes', hand.payload(6, '0000000000'), 'size', 0, '/'],
    ['an int32 of 5 bytes', hand.payload(8, '0000000000'), 'size', 0, '/'],
    ['a uint64 of 9 bytes', hand.payload(9, '00'.repeat(9)), 'size', 0, '/'],
    ['a uint128 of 17 bytes', hand.payload(10, '00'.repeat(17)), 'size', 0, '/'],
    ['a boolean of 2', hand.control(14, 2), 'size', 0, '/'],
    ['a map of 16 million', hand.control(7, 16_843_036), 'count', 0, '/'],
    ['an array of 16 million', hand.control(11, 16_843_036), 'count', 0, '/'],
    ['a number for a key', hand.map([hand.uint16(1), hand.uint16(1)]), 'key-type', 1, '/'],
    ['a key twice', hand.map(['a', hand.uint16(1)], ['a', hand.uint16(1)]), 'duplicate-key', 5, '/a'],
    ['a pointer past the end', hand.map(['a', hand.pointer(99)]), 'pointer-range', 3, '/a'],
    ['a pointer to itself', hand.pointer(0), 'pointer-chain', 0, '/'],
    ['a map in itself', hand.map(['a', hand.pointer(0)]), 'depth', 0, '/a'.repeat(64)],
    [
      'bad text deep inside',
      hand.map(['city', hand.map(['names', hand.array(hand.utf8('x'), hand.payload(2, 'ff'))])]),
      'utf8',
      17,
      '/city/names/1',
    ],
  ];
  for (const [name, section, fault, offset, path] of cases) {
    const error = faultOf(section);
    t.same(
      [error.fault, error.offset, error.path],
      [fault, 1000 + offset, path],
      `${name}: ${error.message}`,
    );
  }
  t.equal(
    faultOf(hand.map(['city', Buffer.from([0x43, 0x61])])).message,
    'at offset 1006, path /city: string runs past the end of the section',
  );
  t.end();
});
