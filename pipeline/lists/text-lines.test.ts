import t, { type Test } from 'tap';
import { writeContents } from './testing/list-trial.js';
import { refusalsOf } from '../input/testing/refusals.js';
import { readTextLines } from './text-lines.js';

/** Returns `line: text` for visited lines and `line! reason` for rejected lines. */
async function linesOf(t: Test, content: string | Buffer): Promise<string[]> {
  const lines: string[] = [];
  const [file] = writeContents(t.testdir({}), { 'a/list.txt': content });
  const sink = { reject: (reason: string, line: number) => void lines.push(`${line}! ${reason}`) };
  await readTextLines(file!, sink, (text, line) => void lines.push(`${line}: ${text}`));
  return lines;
}

t.test('each line is visited without its comment and surrounding spaces', async (t) => {
  const content = [
    '# a list',
    '',
    '1.2.3.4',
    '  5.6.7.8/24\t ',
    '1.1.1.1 # resolver',
    '2.2.2.2\t; another',
    ';3.3.3.3',
    '2001:\u200bdb8::/32\u200b',
    'socks5://user:p#ss@4.4.4.4:1080',
    'a|b,"c',
    '   ',
  ].join('\n');
  t.same(await linesOf(t, content), [
    '3: 1.2.3.4',
    '4: 5.6.7.8/24',
    '5: 1.1.1.1',
    '6: 2.2.2.2',
    '8: 2001:db8::/32',
    '9: socks5://user:p#ss@4.4.4.4:1080',
    '10: a|b,"c',
  ]);
});

t.test('a byte order mark, other line ends and a missing last line end are accepted', async (t) => {
  for (const content of ['\ufeff1.2.3.4\r\n5.6.7.8', '1.2.3.4\n5.6.7.8\n', '1.2.3.4\r\n5.6.7.8\r\n']) {
    t.same(await linesOf(t, content), ['1: 1.2.3.4', '2: 5.6.7.8']);
  }
});

t.test('only the line that is not UTF-8 is rejected', async (t) => {
  const content = Buffer.from('1.2.3.4\n5.6.7.8 \xe9t\xe9\n# \xff\n9.9.9.9\n', 'latin1');
  t.same((await linesOf(t, content)).sort(), ['1: 1.2.3.4', '2! encoding', '3! encoding', '4: 9.9.9.9']);
});

t.test('lines across blocks are visited once', async (t) => {
  const rows = Array.from({ length: 50_000 }, (_, i) => `10.${i >> 8}.${i & 255}.1`);
  const lines = await linesOf(t, rows.join('\n'));
  t.equal(lines.length, rows.length);
  t.equal(lines.at(-1), `50000: ${rows.at(-1)!}`);
});

t.test('a file that is not a text of lines is refused', async (t) => {
  t.same(await refusalsOf(linesOf(t, '\n <html><title>503</title>')), ['a/list.txt container']);
  t.same(await refusalsOf(linesOf(t, 'x'.repeat(70_000))), ['a/list.txt container']);
  t.same(await refusalsOf(linesOf(t, Buffer.from([0x1f, 0x8b, 8, 0]))), ['a/list.txt container']);
  t.same(await refusalsOf(linesOf(t, '')), ['a/list.txt truncated']);
});
