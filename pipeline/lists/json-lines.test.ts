import t, { type Test } from 'tap';
import { readJsonLines, type JsonLine } from './json-lines.js';
import { writeContents } from './testing/list-trial.js';
import { refusalsOf } from '../input/testing/refusals.js';

function linesOf(t: Test, content: string | Buffer): Promise<JsonLine[]> {
  const [file] = writeContents(t.testdir({}), { 'a/list.json': content });
  return readJsonLines(file!);
}

t.test('each line is a value with its number and text', async (t) => {
  t.same(await linesOf(t, '{"cidr":"2001:db8::\\/32"}\r\n\n  [1, "a|b"]  \nnull'), [
    { value: { cidr: '2001:db8::/32' }, line: 1, text: '{"cidr":"2001:db8::\\/32"}' },
    { value: [1, 'a|b'], line: 3, text: '[1, "a|b"]' },
    { value: null, line: 4, text: 'null' },
  ]);
});

t.test('a line that is not JSON has no value, the other lines have theirs', async (t) => {
  const lines = await linesOf(t, '{"asn":1}\n{"asn":\n# comment\n{"asn":2}');
  t.same(
    lines.map(({ line, value }) => [line, value]),
    [
      [1, { asn: 1 }],
      [2, undefined],
      [3, undefined],
      [4, { asn: 2 }],
    ],
  );
  t.notOk('value' in lines[1]!);
});

t.test('a line that is nested deeper than 64 has no value', async (t) => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const lines = await linesOf(t, [nested(64), nested(65), nested(30_000), '[]'].join('\n'));
  t.same(
    lines.map((line) => 'value' in line),
    [true, false, false, true],
  );
});

t.test('a line that is not UTF-8 has no value and is counted as a line', async (t) => {
  const lines = await linesOf(t, Buffer.from('{"asn":1}\n{"asname":"\xe9"}\n', 'latin1'));
  t.equal(lines.length, 2);
  t.same(lines.find(({ line }) => line === 2)?.value, undefined);
});

t.test('a file that is not a text of lines is refused', async (t) => {
  t.same(await refusalsOf(linesOf(t, '<!DOCTYPE html><html></html>')), ['a/list.json container']);
  t.same(await refusalsOf(linesOf(t, Buffer.from([0x1f, 0x8b, 8, 0]))), ['a/list.json container']);
  t.same(await refusalsOf(linesOf(t, '')), ['a/list.json truncated']);
});
