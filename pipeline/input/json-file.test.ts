import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { z } from 'zod';
import { openFileAt } from '../../fixtures/open-file.js';
import { readJsonFile, readText } from './json-file.js';
import { refusalsOf, refusedBy } from './testing/refusals.js';

const SCHEMA = z.object({ rows: z.array(z.unknown()) });

function fileOf(t: Test, content: string | Buffer, id = 'a/list.json'): Parameters<typeof readText>[0] {
  const path = join(t.testdir({}), id);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return openFileAt(path, id.endsWith('.gz') ? 'gz' : 'plain');
}

function refusals(t: Test, content: string | Buffer): Promise<string[]> {
  return refusalsOf(readJsonFile(fileOf(t, content), SCHEMA));
}

t.test('a document is checked by its schema, also packed or with a byte order mark', async (t) => {
  const text = '{"rows":[1,"]{\\"",null],"other":true}';
  const expected = { rows: [1, ']{"', null] };
  t.same(await readJsonFile(fileOf(t, text), SCHEMA), expected);
  t.same(await readJsonFile(fileOf(t, `\ufeff${text}\n`), SCHEMA), expected);
  t.same(await readJsonFile(fileOf(t, gzipSync(text), 'a/list.json.gz'), SCHEMA), expected);
  t.equal(await readText(fileOf(t, '\ufeffä\r\n')), 'ä\r\n');
});

t.test('a document that is cut anywhere is refused as truncated', async (t) => {
  const text = '{"rows":[{"a":"1 \\" ] } \\\\"},[],{"b":[1.5,true,null]}]}';
  for (let end = 0; end < text.length; end++) {
    t.same(await refusals(t, text.slice(0, end)), ['a/list.json truncated'], text.slice(0, end));
  }
  t.same(await refusals(t, '  \n'), ['a/list.json truncated']);
  t.same(await refusals(t, text), []);
});

t.test('a file that is not JSON or not text is refused as container', async (t) => {
  const none = [
    '<!DOCTYPE html><html></html>',
    'rows',
    '{"rows":[1,]}',
    '{"rows":[1]}]',
    '{"rows":[]}{"rows":[]}',
    Buffer.from('{"rows":["\xe9"]}', 'latin1'),
    gzipSync('{"rows":[]}'),
  ];
  for (const content of none) t.same(await refusals(t, content), ['a/list.json container']);
});

t.test('the error for another document names the place where it differs', async (t) => {
  const found = async (text: string): Promise<string | undefined> =>
    (await refusedBy(readJsonFile(fileOf(t, text), SCHEMA)))[0]?.found;
  t.match(await found('{"rows":{}}'), /^unexpected document: \$\.rows: /);
  t.match(await found('[]'), /^unexpected document: \$: /);
  t.same(await refusals(t, '{"error":"rate limited"}'), ['a/list.json header']);
  t.same(await refusals(t, 'null'), ['a/list.json header']);
});

t.test('a document that is nested deeper than 64, also packed, is refused as too-deep', async (t) => {
  const nested = (depth: number): string => `{"rows":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  t.same(await refusals(t, nested(63)), []);
  t.same(await refusals(t, nested(64)), ['a/list.json too-deep']);
  t.same(await refusals(t, '['.repeat(30_000_000)), ['a/list.json too-deep']);
  const packed = gzipSync(Buffer.alloc(30_000_000, '['));
  t.same(await refusalsOf(readJsonFile(fileOf(t, packed, 'a/list.json.gz'), SCHEMA)), [
    'a/list.json.gz too-deep',
  ]);
});

t.test('a document of more than four million values is refused as too-large', async (t) => {
  t.same(await refusals(t, `{"rows":[${'[],'.repeat(4_000_000)}[]]}`), ['a/list.json too-large']);
});

t.test('a document that ends inside a string of megabytes is refused as truncated', async (t) => {
  t.same(await refusals(t, `{"rows":["${'x'.repeat(20_000_000)}`), ['a/list.json truncated']);
});
