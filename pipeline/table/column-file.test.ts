import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ColumnFileError, readColumns, writeColumns } from './column-file.js';

const SPEC = { small: 'u8', asns: 'u32', peers: 'u16', times: 'f64', names: 'text' } as const;
const COLUMNS = {
  small: Uint8Array.of(1, 2, 255),
  asns: Uint32Array.of(0, 13335, 0xffff_ffff),
  peers: new Uint16Array(0),
  times: Float64Array.of(-0, 1.5),
  names: ['', '中国电信', 'a"b\n'],
};

t.test('columns are read back as they were written', (t) => {
  const path = join(t.testdir(), 'columns');
  writeColumns(path, SPEC, COLUMNS);
  t.same(readColumns(path, SPEC), COLUMNS);
  writeColumns(path, SPEC, { ...COLUMNS, asns: new Uint32Array(new ArrayBuffer(20), 4, 2) });
  t.same(readColumns(path, SPEC).asns, Uint32Array.of(0, 0), 'a column that is a part of a larger buffer');
  t.end();
});

t.test('a column with the wrong length for its kind, or a text column without texts, is refused', (t) => {
  const path = join(t.testdir(), 'columns');
  writeColumns(path, SPEC, COLUMNS);
  const text = readFileSync(path, 'latin1');
  const damage = (from: string, to: string): void => {
    t.ok(text.includes(from), from);
    writeFileSync(path, text.replace(from, to), 'latin1');
  };
  damage('"kind":"u32","bytes":12', '"kind":"u32","bytes":11');
  t.throws(() => readColumns(path, SPEC), /column asns are not u32 values/);
  damage('["",', '["" ');
  t.throws(() => readColumns(path, SPEC), /column names are not text values/);
  damage('["",', '[12,');
  t.throws(() => readColumns(path, SPEC), ColumnFileError);
  t.end();
});

t.test('a file that is truncated, extended, or has other columns is refused', (t) => {
  const path = join(t.testdir(), 'columns');
  writeColumns(path, SPEC, COLUMNS);
  const whole = readFileSync(path);
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length));
    t.throws(() => readColumns(path, SPEC), ColumnFileError, `${length} bytes`);
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.alloc(8)]));
  t.throws(() => readColumns(path, SPEC), /its columns end at/);
  writeFileSync(path, whole);
  t.throws(() => readColumns(path, { ...SPEC, peers: 'u32' }), /does not describe the columns/);
  t.throws(() => readColumns(path, { small: 'u8' }), /does not describe the columns/);
  t.throws(() => readColumns(join(path, 'nothing'), SPEC), /ENOTDIR/);
  t.end();
});
