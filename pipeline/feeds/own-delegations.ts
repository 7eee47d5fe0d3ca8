import { newAddress, parseAddress, parseIpv4 } from '../net/address.js';
import { PrefixBuffer } from '../net/prefix.js';
import { readCsvRows, type CsvVisitor } from './csv-rows.js';
import type { ClaimSink, OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';
import { DelegationCounts } from './own-delegation-counts.js';
import { DELEGATION } from './own-layers.js';
import { NO_COUNTRY, RegistrationClaims } from './own-registrations.js';
import type { Reason } from './tally.js';

/**
 * Reads the statistics of a regional internet registry, plain or extended
 * (https://www.apnic.net/about-apnic/corporate-documents/documents/resource-guidelines/rir-statistics-exchange-format/):
 *
 *     2.3|lacnic|20240104|88619|19870101|20240104|-0300          version line: registry, serial, records, …
 *     lacnic|*|ipv4|*|19778|summary                              how many records of a type follow
 *     lacnic|BR|ipv4|24.152.0.0|1024|20200310|allocated|310248   registry, cc, type, start, value, date, status, opaque id
 *
 * An IPv4 value is a count of addresses, not always a power of two; an IPv6 value a prefix length. Claims are ipv4
 * and ipv6 records that are allocated or assigned, all others say nothing. Throws FeedError `header` when the first
 * line is no version line, `truncated` when records are missing, see `DelegationCounts`.
 */
export async function readDelegations(
  file: OpenFile,
  bytes: AsyncIterable<Buffer>,
  sink: ClaimSink,
): Promise<void> {
  const rows = new DelegationRows(file, sink);
  await readCsvRows(file, bytes, { delimiter: '|', quote: false }, rows);
  rows.end();
}

/**
 * Field indexes of a record. The plain dialect ends with the status, the extended one adds an opaque id and more;
 * LACNIC leaves the id out where it is empty.
 */
const COUNTRY = 1;
const TYPE = 2;
const START = 3;
const VALUE = 4;
const STATUS = 6;

const DELEGATED: ReadonlySet<string> = new Set(['allocated', 'assigned']);
const NOT_DELEGATED: ReadonlySet<string> = new Set(['available', 'reserved']);
const IPV4_ADDRESSES = 2 ** 32;

class DelegationRows implements CsvVisitor {
  readonly #file: OpenFile;
  readonly #sink: ClaimSink;
  readonly #claims: RegistrationClaims;
  #counts: DelegationCounts | undefined;
  readonly #prefix = new PrefixBuffer();
  readonly #start = newAddress();
  readonly #end = newAddress();

  constructor(file: OpenFile, sink: ClaimSink) {
    this.#file = file;
    this.#sink = sink;
    this.#claims = new RegistrationClaims(sink);
  }

  row(fields: string[], line: number): void {
    if (fields[0]!.startsWith('#')) return;
    if (!this.#counts) this.#counts = new DelegationCounts(this.#file, fields);
    else if (fields[5] === 'summary') this.#counts.expect(fields);
    else this.#record(this.#counts, fields, line);
  }

  bad(reason: 'quoting' | 'encoding', line: number, excerpt: string): void {
    if (excerpt.startsWith('#')) return;
    this.#counts?.found(excerpt.split('|')[TYPE], false);
    this.#sink.reject(reason, line, excerpt);
  }

  /** To be called behind the last row. */
  end(): void {
    if (!this.#counts) throw new FeedError('header', this.#file.id, 'there is no version line');
    this.#counts.check();
  }

  #record(counts: DelegationCounts, fields: readonly string[], line: number): void {
    const status = fields[STATUS];
    const delegated = status !== undefined && DELEGATED.has(status);
    const known = delegated || (status !== undefined && NOT_DELEGATED.has(status));
    counts.found(fields[TYPE], known);
    const refused = known ? this.#read(fields, delegated, line) : 'columns';
    if (refused !== undefined) this.#sink.reject(refused, line, fields.join('|'));
  }

  #read(fields: readonly string[], delegated: boolean, line: number): Reason | undefined {
    const type = fields[TYPE];
    if (type !== 'ipv4' && type !== 'ipv6' && type !== 'asn') return 'columns';
    const claimId = delegated && type !== 'asn' ? this.#claims.idOf(fields[COUNTRY]!) : NO_COUNTRY;
    if (claimId === undefined) return 'country';
    if (claimId !== NO_COUNTRY) {
      return type === 'ipv4' ? this.#readIpv4(fields, claimId, line) : this.#readIpv6(fields, claimId, line);
    }
    this.#sink.unknown();
    return undefined;
  }

  #readIpv4(fields: readonly string[], claimId: number, line: number): Reason | undefined {
    const start = parseIpv4(fields[START]!);
    if (start === undefined) return parseAddress(fields[START]!) ? 'family' : 'address';
    if (!DECIMAL.test(fields[VALUE]!)) return 'address';
    const count = Number(fields[VALUE]);
    if (count === 0 || start + count > IPV4_ADDRESSES) return 'inverted';
    this.#start[3] = start;
    this.#end[3] = start + count - 1;
    this.#sink.range(DELEGATION, this.#start, this.#end, claimId, line);
    return undefined;
  }

  #readIpv6(fields: readonly string[], claimId: number, line: number): Reason | undefined {
    const prefix = this.#prefix;
    if (!prefix.parse(`${fields[START]!}/${fields[VALUE]!}`)) {
      return parseIpv4(fields[START]!) === undefined ? 'address' : 'family';
    }
    if (prefix.family !== 6) return 'family';
    this.#sink.prefix(DELEGATION, prefix, claimId, line);
    return undefined;
  }
}

const DECIMAL = /^\d+$/;
