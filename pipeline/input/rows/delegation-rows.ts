import { parseAddress, parseIpv4, type Address } from '../../net/address.js';
import type { PrefixBuffer } from '../../net/prefix.js';
import { readCsvRows, type CsvVisitor } from './csv-rows.js';
import { DelegationCounts } from './delegation-counts.js';
import type { OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';
import type { Reason } from '../tally.js';

/** Receives the records of the statistics of a registry in order. Lines are 1-based. */
export interface DelegationVisitor {
  /** Receives a record of known type and status, which is reused for the next one. Returns a reason to reject it. */
  record(record: DelegationRecord, line: number): Reason | undefined;
  /** Receives a line that is not such a record, or was rejected by `record`. */
  reject(reason: Reason, line: number, excerpt: string): void;
}

/**
 * Reads the statistics of a regional internet registry, plain or extended
 * (https://www.apnic.net/about-apnic/corporate-documents/documents/resource-guidelines/rir-statistics-exchange-format/):
 *
 *     2.3|lacnic|20240104|88619|19870101|20240104|-0300          version line: registry, serial, records, …
 *     lacnic|*|ipv4|*|19778|summary                              how many records of a type follow
 *     lacnic|BR|ipv4|24.152.0.0|1024|20200310|allocated|310248   registry, cc, type, start, value, date, status, opaque id
 *
 * Throws FeedError `header` when the first line is not a version line, and `truncated` when records are missing; see
 * `DelegationCounts`.
 */
export async function readDelegationRows(
  file: OpenFile,
  bytes: AsyncIterable<Buffer>,
  visitor: DelegationVisitor,
): Promise<void> {
  const rows = new DelegationRows(file, visitor);
  await readCsvRows(file, bytes, { delimiter: '|', quote: false }, rows);
  rows.end();
}

/**
 * One record. The plain format ends with the status; the extended format adds an opaque id and more. LACNIC omits an
 * empty id.
 */
export class DelegationRecord {
  /** The registry of the file. After a transfer it also lists resources that another registry delegated. */
  registry = '';
  type: 'ipv4' | 'ipv6' | 'asn' = 'asn';
  /** Resources that are `available` or `reserved` are not delegated. */
  status: 'allocated' | 'assigned' | 'available' | 'reserved' = 'reserved';
  fields: readonly string[] = [];

  get isDelegated(): boolean {
    return this.status === 'allocated' || this.status === 'assigned';
  }

  /** The country code as written; may be `EU`, `AP`, `ZZ` or empty. */
  get country(): string {
    return this.fields[COUNTRY]!;
  }

  /** The date as written, `yyyymmdd`; may be empty or `00000000`. */
  get date(): string {
    return this.fields[DATE]!;
  }

  /** The opaque id of the holder; undefined in the plain format, and when it is empty. */
  get holder(): string | undefined {
    const holder = this.fields[HOLDER];
    return holder === '' ? undefined : holder;
  }

  /** Reads an ipv4 record into an inclusive range. Its value is a number of addresses, not always a power of two. */
  readIpv4(start: Address, end: Address): Reason | undefined {
    const first = parseIpv4(this.fields[START]!);
    if (first === undefined) return parseAddress(this.fields[START]!) ? 'family' : 'address';
    if (!DECIMAL.test(this.fields[VALUE]!)) return 'address';
    const count = Number(this.fields[VALUE]);
    if (count === 0 || first + count > IPV4_ADDRESSES) return 'inverted';
    start.fill(0, 0, 3);
    end.fill(0, 0, 3);
    start[3] = first;
    end[3] = first + count - 1;
    return undefined;
  }

  /** Reads an ipv6 record. Its value is a prefix length. */
  readIpv6(prefix: PrefixBuffer): Reason | undefined {
    if (!prefix.parse(`${this.fields[START]!}/${this.fields[VALUE]!}`)) {
      return parseIpv4(this.fields[START]!) === undefined ? 'address' : 'family';
    }
    return prefix.family === 6 ? undefined : 'family';
  }

  /** Reads an asn record. Its value is a number of AS numbers. Returns `asn` when it is invalid or above MAX_ASNS. */
  readAsns(): { readonly first: number; readonly count: number } | Reason {
    const [start, value] = [this.fields[START]!, this.fields[VALUE]!];
    if (!DECIMAL.test(start) || !DECIMAL.test(value)) return 'asn';
    const [first, count] = [Number(start), Number(value)];
    return count > 0 && count <= MAX_ASNS && first + count <= ASNS ? { first, count } : 'asn';
  }
}

/** The field indexes of a record. */
const COUNTRY = 1;
const TYPE = 2;
const START = 3;
const VALUE = 4;
const DATE = 5;
const STATUS = 6;
const HOLDER = 7;

const IPV4_ADDRESSES = 2 ** 32;
const ASNS = 2 ** 32;
/** The maximum length of a run: all 16-bit numbers. IANA assigns registries 1,024 numbers at a time. */
const MAX_ASNS = 65_536;
const DECIMAL = /^\d+$/;
const TYPES: readonly string[] = ['ipv4', 'ipv6', 'asn'] satisfies DelegationRecord['type'][];
const STATUSES: readonly string[] = [
  'allocated',
  'assigned',
  'available',
  'reserved',
] satisfies DelegationRecord['status'][];

class DelegationRows implements CsvVisitor {
  readonly #file: OpenFile;
  readonly #visitor: DelegationVisitor;
  #counts: DelegationCounts | undefined;
  readonly #record = new DelegationRecord();

  constructor(file: OpenFile, visitor: DelegationVisitor) {
    this.#file = file;
    this.#visitor = visitor;
  }

  row(fields: string[], line: number): void {
    if (fields[0]!.startsWith('#')) return;
    if (!this.#counts) this.#begin(fields);
    else if (fields[5] === 'summary') this.#counts.expect(fields);
    else this.#read(this.#counts, fields, line);
  }

  bad(reason: 'quoting' | 'encoding', line: number, excerpt: string): void {
    if (excerpt.startsWith('#')) return;
    this.#counts?.found(excerpt.split('|')[TYPE], false);
    this.#visitor.reject(reason, line, excerpt);
  }

  /** Called after the last row. */
  end(): void {
    if (!this.#counts) throw new FeedError('header', this.#file.id, 'no version line');
    this.#counts.check();
  }

  #begin(versionLine: readonly string[]): void {
    this.#counts = new DelegationCounts(this.#file, versionLine);
    this.#record.registry = this.#counts.registry;
  }

  #read(counts: DelegationCounts, fields: readonly string[], line: number): void {
    const status = fields[STATUS];
    const known = status !== undefined && STATUSES.includes(status);
    counts.found(fields[TYPE], known);
    const refused = known && TYPES.includes(fields[TYPE]!) ? this.#visit(fields, line) : 'columns';
    if (refused !== undefined) this.#visitor.reject(refused, line, fields.join('|'));
  }

  #visit(fields: readonly string[], line: number): Reason | undefined {
    const record = this.#record;
    record.type = fields[TYPE] as DelegationRecord['type'];
    record.status = fields[STATUS] as DelegationRecord['status'];
    record.fields = fields;
    return this.#visitor.record(record, line);
  }
}
