import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Claim } from '../feeds/claim.js';
import { readCsvRows } from '../feeds/csv-rows.js';
import type { ClaimSink, OpenFile } from '../feeds/feed.js';
import { readGeofeed } from '../feeds/own-geofeeds.js';
import type { Note, Reason } from '../feeds/tally.js';
import { formatPrefix, parsePrefix, PrefixBuffer, type Prefix } from '../net/prefix.js';
import type { RowRemark, TruthRow } from './truth.js';

/** A truth file: the rows that name a place, and all others with the reason. */
export interface ReadTruth {
  readonly rows: readonly TruthRow[];
  readonly setAside: readonly RowRemark[];
  /** What is odd about rows that are no fault, by note; `unknown` for those that say nothing. */
  readonly notes: Readonly<Partial<Record<Note, number>>>;
}

/**
 * Reads `prefix,country,region,city` by the rules of RFC 8805, exactly as a geofeed is read. Throws FeedError for a
 * file that is none, and what the file system throws.
 */
export async function readTruth(path: string): Promise<ReadTruth> {
  const file = await openText(path);
  const sink = new TruthSink();
  await readGeofeed(file, file.bytes, sink);
  return sink;
}

/** Who operates which prefix of the truth, by the prefix as `formatPrefix` writes it. */
export interface ReadOperators {
  readonly operators: ReadonlyMap<string, string>;
  readonly setAside: readonly RowRemark[];
}

/** Reads `prefix,operator`, with or without a header. Throws what `readTruth` throws. */
export async function readOperators(path: string): Promise<ReadOperators> {
  const file = await openText(path);
  const operators = new Map<string, string>();
  const setAside: RowRemark[] = [];
  let isFirst = true;
  const put = (fields: readonly string[], line: number): void => {
    const [prefixText, operator] = fields.map((field) => field.trim());
    const isHeader = isFirst && prefixText === 'prefix';
    isFirst = false;
    if (isHeader || prefixText!.startsWith('#')) return;
    const prefix = parsePrefix(prefixText!);
    const key = prefix && formatPrefix(prefix.address, prefix.length);
    const reason = faultOf(key, operator, operators);
    if (reason === undefined) operators.set(key!, operator!);
    else setAside.push({ reason, line, excerpt: excerptOf(fields.join(',')) });
  };
  await readCsvRows(
    file,
    file.bytes,
    { delimiter: ',', quote: true },
    {
      row: put,
      bad: (reason, line, excerpt) => setAside.push({ reason, line, excerpt: excerptOf(excerpt) }),
    },
  );
  return { operators, setAside };
}

function faultOf(
  key: string | undefined,
  operator: string | undefined,
  held: ReadonlyMap<string, string>,
): string | undefined {
  if (key === undefined) return 'address';
  if (operator === undefined || operator === '') return 'columns';
  const other = held.get(key);
  if (other === undefined) return undefined;
  return other === operator ? 'duplicate' : 'conflict';
}

/** Keeps every row of a truth file. */
class TruthSink implements ClaimSink, ReadTruth {
  readonly rows: TruthRow[] = [];
  readonly setAside: RowRemark[] = [];
  readonly notes: Partial<Record<Note, number>> = {};
  readonly #claims: Claim[] = [];

  intern(claim: Claim): number {
    return this.#claims.push(claim) - 1;
  }

  prefix(_layer: number, buffer: Prefix, claimId: number, line: number): void {
    const { address, length, family } = buffer;
    if (buffer instanceof PrefixBuffer && buffer.hadHostBits) this.note('host-bits');
    const prefix = { address: address.slice(), length, family };
    const claim = this.#claims[claimId]!;
    const { country } = claim;
    if (country !== undefined) this.rows.push({ prefix, line, claim: { ...claim, country } });
    else this.setAside.push({ reason: 'not located', line, excerpt: formatPrefix(address, length) });
  }

  range(): never {
    throw new Error('a geofeed has no ranges');
  }

  unknown(): void {
    this.note('unknown');
  }

  reject(reason: Reason, line: number, excerpt: string): void {
    this.setAside.push({ reason, line, excerpt: excerptOf(excerpt) });
  }

  note(note: Note): void {
    this.notes[note] = (this.notes[note] ?? 0) + 1;
  }
}

const EXCERPT_CHARACTERS = 120;

function excerptOf(text: string): string {
  return text.slice(0, EXCERPT_CHARACTERS);
}

/** A file that people wrote: small enough to be read whole. */
async function openText(path: string): Promise<OpenFile & { readonly bytes: AsyncIterable<Buffer> }> {
  const bytes = await readFile(path);
  return {
    id: path,
    folder: '',
    name: basename(path),
    container: 'plain',
    path,
    sizeBytes: bytes.length,
    onRead: () => undefined,
    bytes: once(bytes),
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield await Promise.resolve(bytes);
}
