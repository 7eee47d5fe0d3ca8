import t from 'tap';
import { ByteColumn } from './byte-column.js';
import { encodeControl, encodePointer, encodeScalar, pointerSize } from './encode.js';
import { MmdbEncodeError } from './encode-error.js';
import type { ScalarType } from './schema.js';

function hex(write: (out: ByteColumn) => void): string {
  const out = new ByteColumn(1);
  write(out);
  return out.view().toString('hex');
}

const scalar = (value: unknown, type: ScalarType): string =>
  hex((out) => {
    encodeScalar(value, type, out);
  });

t.test('control bytes encode type and size as in the specification', (t) => {
  const control = (type: number, size: number): string =>
    hex((out) => {
      encodeControl(type, size, out);
    });
  t.equal(control(2, 28), '5c');
  t.equal(control(2, 29), '5d00');
  t.equal(control(2, 284), '5dff');
  t.equal(control(2, 285), '5e0000');
  t.equal(control(2, 65_820), '5effff');
  t.equal(control(2, 65_821), '5f000000');
  t.equal(control(2, 16_843_036), '5fffffff');
  t.equal(control(14, 1), '0107', 'boolean is extended: type - 7');
  t.equal(control(11, 300), '1e04000f', 'the extended type is before the size bytes');
  t.end();
});

t.test('a string of the maximum size is written, a longer one is refused', (t) => {
  const most = 'x'.repeat(16_843_036);
  const out = new ByteColumn(1);
  encodeScalar(most, 'string', out);
  t.equal(out.length, 4 + most.length);
  t.equal(out.view().subarray(0, 5).toString('hex'), '5fffffff78');
  t.throws(() => {
    encodeScalar(`${most}x`, 'string', new ByteColumn(1));
  }, MmdbEncodeError);
  t.end();
});

t.test('pointers use the shortest form for their offset', (t) => {
  const pointer = (offset: number): string =>
    hex((out) => {
      encodePointer(offset, out);
    });
  t.equal(pointer(0), '2000');
  t.equal(pointer(2_047), '27ff');
  t.equal(pointer(2_048), '280000');
  t.equal(pointer(526_335), '2fffff');
  t.equal(pointer(526_336), '30000000');
  t.equal(pointer(134_744_063), '37ffffff');
  t.equal(pointer(134_744_064), '3808080800');
  t.equal(pointer(0xffff_ffff), '38ffffffff');
  for (const offset of [0, 2_047, 2_048, 526_335, 526_336, 134_744_063, 134_744_064]) {
    t.equal(pointerSize(offset), pointer(offset).length / 2, `size at ${offset}`);
  }
  t.end();
});

t.test('numbers are written in the fewest bytes their type allows', (t) => {
  t.equal(scalar(0, 'uint16'), 'a0');
  t.equal(scalar(500, 'uint16'), 'a201f4');
  t.equal(scalar(0xffff_ffff, 'uint32'), 'c4ffffffff');
  t.equal(scalar(0x10000, 'uint32'), 'c3010000');
  t.equal(scalar(1n << 63n, 'uint64'), '08028000000000000000');
  t.equal(scalar(256n, 'uint128'), '02030100');
  t.equal(scalar(-1, 'int32'), '0401ffffffff');
  t.equal(scalar(1, 'int32'), '010101');
  t.equal(scalar(-0, 'double'), '688000000000000000');
  t.equal(scalar(1e-300, 'double'), '6801a56e1fc2f8f359');
  t.equal(scalar(1.1, 'float'), '04083f8ccccd');
  t.equal(scalar(true, 'boolean'), '0107');
  t.equal(scalar(false, 'boolean'), '0007');
  t.equal(scalar('é', 'string'), '42c3a9');
  t.equal(scalar(Buffer.from([1, 2]), 'bytes'), '820102');
  t.end();
});

t.test('values outside their type are refused', (t) => {
  const bad: readonly (readonly [unknown, ScalarType])[] = [
    [65_536, 'uint16'],
    [-1, 'uint16'],
    [1.5, 'uint32'],
    [2 ** 32, 'uint32'],
    [2 ** 31, 'int32'],
    [1, 'uint64'],
    [1n << 64n, 'uint64'],
    [-1n, 'uint128'],
    ['1', 'double'],
    [1, 'string'],
    ['\ud800', 'string'],
    [1, 'boolean'],
    ['x', 'bytes'],
    [null, 'uint16'],
    [undefined, 'string'],
  ];
  for (const [value, type] of bad) {
    t.throws(() => scalar(value, type), MmdbEncodeError, `${String(value)} as ${type}`);
  }
  t.end();
});
