import { AssertionError } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openFileAt } from '../../fixtures/open-file.js';
import type { OpenFile } from './published-source.js';
import { readJsonValues } from './json-values.js';

function fileOf(t: Test, text: string): OpenFile {
  const path = join(t.testdir({}), 'values.json');
  writeFileSync(path, text);
  return openFileAt(path, 'plain');
}

t.test('values are given with the names of their top-level member and of themselves', async (t) => {
  const file = fileOf(t, '{"a":[1,{"x":[2]}],"other":[3],"b":{"c":4,"d":null}}');
  const seen: unknown[] = [];
  await readJsonValues(file, ['$.a.*', '$.b.*'], (...visited) => seen.push(visited));
  t.same(seen, [
    ['a', 1, '0'],
    ['a', { x: [2] }, '1'],
    ['b', 4, 'c'],
    ['b', null, 'd'],
  ]);
});

t.test('paths of several depths are refused: one limit of a value would not hold for both', async (t) => {
  const file = fileOf(t, '{"a":[1],"b":[2]}');
  await t.rejects(
    readJsonValues(file, ['$.a.*', '$.b'], () => undefined),
    AssertionError,
  );
});
