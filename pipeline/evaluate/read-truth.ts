import { DEFAULT_UNPACKED_BYTES } from '../input/containers/unpacked-size.js';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Claim } from '../input/claims/claim.js';
import { readCsvRows } from '../input/rows/csv-rows.js';
import type { ClaimSink } from '../input/claims/claim-sink.js';
import type { OpenFile } from '../input/published-source.js';
import { readGeofeed } from '../feeds/own/geofeeds.js';
import type { Note, Reason } from '../input/tally.js';
import { formatPrefix, parsePrefix, PrefixBuffer, type Prefix } from '../net/prefix.js';
import type { RowRemark, TruthRow } from './truth.js';

/** The rows of a truth file that name a place, and the rows set aside with the reason. */
export interface ReadTruth {
  readonly rows: readonly TruthRow[];
  readonly setAside: readonly RowRemark[];
  /** The counts of notes on accepted rows; `unknown` counts rows without a place. */
  readonly notes: Readonly<Partial<Record<Note, number>>>;
}

/**
 * Reads `prefix,country,region,city` by the rules of RFC 8805, exactly as geofeeds are read. Throws FeedError if the
 * file has another form, and the errors of the file system.
 */
export async function readTruth(path: string): Promise<ReadTruth> {
  const file = await openText(path);
  const sink = new TruthSink();
  await readGeofeed(file, file.bytes, sink);
  return sink;
}

/** The operators of the truth's prefixes, by prefix as `formatPrefix` writes it. */
export interface ReadOperators {
  readonly operators: ReadonlyMap<string, string>;
  readonly setAside: readonly RowRemark[];
}

/** Reads `prefix,operator`, with or without a header. Throws the errors of `readTruth`. */
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

/** Collects every row of a truth file. */
class TruthSink implements ClaimSink, ReadTruth {
  readonly rows: TruthRow[] = [];
  readonly setAside: RowRemark[] = [];
  readonly notes: Partial<Record<Note, number>> = {};
  readonly #claims: Claim[] = [];

  intern(claim: Claim): number {
    return this.#claims.push(claim) - 1;
  }

  prefix(_layer: number, buffer: Prefix, claimId: number, line: number): boolean {
    const { address, length, family } = buffer;
    if (buffer instanceof PrefixBuffer && buffer.hadHostBits) this.note('host-bits');
    const prefix = { address: address.slice(), length, family };
    const claim = this.#claims[claimId]!;
    const { country } = claim;
    if (country !== undefined) this.rows.push({ prefix, line, claim: { ...claim, country } });
    else this.setAside.push({ reason: 'not located', line, excerpt: formatPrefix(address, length) });
    return true;
  }

  range(): never {
    throw new Error('unexpected range: a geofeed has only prefixes');
  }

  accept(): void {
    this.note('unknown');
  }

  part(): never {
    throw new Error('unexpected part of a row: a geofeed has only whole prefixes');
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

/** Opens a hand-written file; such files are small enough to read as a whole. */
async function openText(path: string): Promise<OpenFile & { readonly bytes: AsyncIterable<Buffer> }> {
  const bytes = await readFile(path);
  return {
    id: path,
    folder: '',
    name: basename(path),
    container: 'plain',
    path,
    sizeBytes: bytes.length,
    maxUnpackedBytes: DEFAULT_UNPACKED_BYTES,
    onRead: () => undefined,
    bytes: once(bytes),
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield await Promise.resolve(bytes);
}
