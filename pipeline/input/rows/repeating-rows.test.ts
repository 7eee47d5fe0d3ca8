import t from 'tap';
import { inPieces } from '../../../fixtures/open-file.js';
import type { CsvDialect } from './csv-lines.js';
import { readCsvRows } from './csv-rows.js';
import { readRepeatingRows, type RepeatingVisitor } from './repeating-rows.js';

const COMMA: CsvDialect = { delimiter: ',', quote: true };
const PIPE: CsvDialect = { delimiter: '|', quote: false };
const HEAD = 2;

/** The calls of a visitor, one entry per call. */
type Seen = [kind: string, line: number, content: unknown];

async function readPlainly(bytes: Buffer, dialect: CsvDialect): Promise<Seen[]> {
  const seen: Seen[] = [];
  await readCsvRows({ id: 'feed/file' }, inPieces(bytes, 997), dialect, {
    row: (fields, line) => seen.push(['row', line, fields]),
    bad: (reason, line, excerpt) => seen.push([reason, line, excerpt]),
  });
  return seen;
}

/** Knows the head from the first block on, or after the first row. Reads rows in full whose head begins with `x`, or whose tail begins with `y`. */
class Recorder implements RepeatingVisitor {
  readonly seen: Seen[] = [];
  readonly #tails: string[][] = [];
  readonly #numbers = new Map<string, number>();
  inFull = 0;

  constructor(public headColumns: number | undefined) {}

  row(fields: string[], line: number): number | undefined {
    this.seen.push(['row', line, fields]);
    this.inFull++;
    this.headColumns = HEAD;
    const tail = fields.slice(HEAD);
    if (fields[0]!.startsWith('x') || tail[0]?.startsWith('y')) return undefined;
    const key = JSON.stringify(tail);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#tails.push(tail) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  repeated: RepeatingVisitor['repeated'] = (head, tail, line) => {
    if (head.textOf(0).startsWith('x')) return false;
    const fields = [0, 1].map((column) => Buffer.from(head.textOf(column), 'latin1').toString());
    this.seen.push(['row', line, [...fields, ...this.#tails[tail]!]]);
    return true;
  };

  bad(reason: string, line: number, excerpt: string): void {
    this.seen.push([reason, line, excerpt]);
  }
}

interface Reading {
  readonly pieceBytes?: number;
  readonly headColumns?: number;
}

async function readRepeating(
  bytes: Buffer,
  dialect: CsvDialect,
  { pieceBytes = 997, headColumns }: Reading,
): Promise<Recorder> {
  const recorder = new Recorder(headColumns);
  await readRepeatingRows({ id: 'feed/file' }, inPieces(bytes, pieceBytes), dialect, recorder);
  return recorder;
}

/** A generator of numbers from 0 to `below` (exclusive) with a fixed sequence. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const HEADS = ['1', '"1"', '', '""', 'x', 'é', '"é"', '"a""b"', 'a"b', '"a"b', '"a,b"', '"a', '1|2', 'a b'];
const TAILS = [
  'a,b',
  '"a",b',
  '"a, b",c',
  '',
  'y,1',
  '"y"',
  '"open',
  'stray"',
  '"a""b"',
  'é,中',
  'a|b|c',
  '\u0000',
];
const ENDS = ['\n', '\n', '\n', '\r\n'];

function randomLine(next: (below: number) => number): Buffer {
  const pick = (texts: readonly string[]): string => texts[next(texts.length)]!;
  const delimiter = pick([',', ',', ',', '|']);
  const line = `${pick(HEADS)}${delimiter}${pick(HEADS)}${delimiter}${pick(TAILS)}${pick(ENDS)}`;
  if (next(20) === 0) return Buffer.from(pick(['\n', '\r\n', '1\n', '1,2\n', '"\n', ',\n', ',,\n']));
  const bytes = Buffer.from(line);
  if (next(30) === 0) bytes[next(bytes.length - 1)] = 0xe9;
  return bytes;
}

t.test('property: the rows are those of the CSV parser, in any dialect', async (t) => {
  for (let seed = 0; seed < 40; seed++) {
    const next = sequence(seed);
    const lines = Array.from({ length: 1 + next(400) }, () => randomLine(next));
    if (seed % 3 === 0) lines.unshift(Buffer.from('\ufeff'));
    if (seed % 4 === 0) lines.push(Buffer.from('1,2,a,b'));
    const bytes = Buffer.concat(lines);
    for (const dialect of [COMMA, PIPE]) {
      const { seen } = await readRepeating(bytes, dialect, { headColumns: HEAD });
      t.strictSame(seen, await readPlainly(bytes, dialect), `seed ${seed}, ${dialect.delimiter}`);
    }
  }
});

t.test('property: the same holds over many blocks, for any division into chunks', async (t) => {
  const next = sequence(7);
  const lines = Array.from({ length: 60_000 }, () => {
    return next(200) === 0 ? randomLine(next) : Buffer.from(`${next(9)},1.2.3.4,"Ōsaka ${next(3000)}",x\n`);
  });
  const bytes = Buffer.concat(lines);
  const expected = JSON.stringify(await readPlainly(bytes, COMMA));
  for (const pieceBytes of [65_536, 300_000, bytes.length]) {
    const { seen } = await readRepeating(bytes, COMMA, { pieceBytes });
    t.ok(JSON.stringify(seen) === expected, `pieces of ${pieceBytes}`);
  }
});

t.test('rows with the text of an earlier row after the head are not read in full', async (t) => {
  const row = (i: number): string => `"1.0.0.${i % 256}",${i},"Ōsaka, ${i % 10}",x\n`;
  const bytes = Buffer.from(Array.from({ length: 50_000 }, (_, i) => row(i)).join(''));
  const { inFull, seen } = await readRepeating(bytes, COMMA, { pieceBytes: bytes.length >> 1 });
  t.equal(seen.length, 50_000);
  // The head is known from the second block on.
  t.ok(inFull < 26_000, `${inFull} rows`);
});

t.test('a text that a row must be read in full for is forgotten as soon as it has a number', async (t) => {
  const block = Array.from({ length: 20_000 }, (_, i) => `1,${i},a,b\n`).join('');
  const bytes = Buffer.from(`x,1,a,b\n${block}x,1,a,b\n${block}`);
  const { seen } = await readRepeating(bytes, COMMA, { pieceBytes: 1000 });
  t.strictSame(seen, await readPlainly(bytes, COMMA));
});

t.test('a line of more than 64 KB is refused', async (t) => {
  const refusal = { name: 'FeedError', refusal: 'container', found: /line 2 is longer than 64 KB/ };
  const bytes = Buffer.from(`1,2,a\n1,2,${'x'.repeat(64 * 1024)}\n`);
  await t.rejects(readRepeating(bytes, COMMA, { pieceBytes: bytes.length }), refusal);
});
