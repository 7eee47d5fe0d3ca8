import assert from 'node:assert';
import { LayeredRows, type ClaimedNetworks } from '../input/claims/layered-claims.js';
import type { ClaimSink } from '../input/claims/claim-sink.js';
import { isTooWide, leastBits } from '../input/claims/too-wide.js';
import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import type { Note, Reason, Tally } from '../input/tally.js';
import { commonBits, familyOf, formatAddress, type Address } from '../net/address.js';
import { formatPrefix, type Prefix } from '../net/prefix.js';
import { splitRange } from '../net/range.js';
import type { FlatTable } from '../table/flat-table.js';
import type { List, ListSink } from './list.js';
import { LIST_CLAIM_FORMAT, type ListClaim } from './list-claim.js';
import { textFault } from './text-limits.js';

/** The normalised claims of a list. */
export interface ListTable extends ClaimedNetworks<ListClaim> {
  /** The claims about whole autonomous systems, by AS number. */
  readonly asns: ReadonlyMap<number, ListClaim>;
}

/** Collects the rows of one list: networks as for a feed, and autonomous systems. */
export class ListRows {
  readonly #list: List;
  readonly #rows: LayeredRows<ListClaim>;
  readonly #asns = new Map<number, ListClaim>();

  constructor(list: List, reserved: FlatTable) {
    this.#list = list;
    const { layers, foldMapped = false } = list;
    this.#rows = new LayeredRows(LIST_CLAIM_FORMAT, { layers: layers.length, reserved }, { foldMapped });
  }

  /** Creates the sink for the rows of one file. Counts them in `tally`. */
  sinkFor(file: OpenFile, tally: Tally): ListSink {
    return new GuardedSink(file, this.#rows.sinkFor(file, tally), tally, this.#asns);
  }

  finish(): ListTable {
    return { ...this.#rows.finish((claims) => this.#list.combine(claims)), asns: this.#asns };
  }
}

const LAST_ASN = 0xffffffff;
/** Ids from here on are not claims but faults of claims: a row needs only one comparison. */
const FIRST_FAULT = 0x4000_0000;

/** The sink of one file. Refuses a file with a network wider than any operator's, and rejects rows with long texts. */
class GuardedSink implements ListSink {
  readonly #file: OpenFile;
  readonly #sink: ClaimSink<ListClaim>;
  readonly #tally: Tally;
  readonly #asns: Map<number, ListClaim>;
  /** The texts of faults; fault i has id `FIRST_FAULT + i`. */
  readonly #faults: string[] = [];

  constructor(file: OpenFile, sink: ClaimSink<ListClaim>, tally: Tally, asns: Map<number, ListClaim>) {
    this.#file = file;
    this.#sink = sink;
    this.#tally = tally;
    this.#asns = asns;
  }

  intern(claim: ListClaim): number {
    const fault = textFault(claim);
    return fault === undefined ? this.#sink.intern(claim) : FIRST_FAULT + this.#faults.push(fault) - 1;
  }

  prefix(layer: number, prefix: Prefix, claimId: number, position: number): boolean {
    if (isTooWide(prefix)) this.#refuse(printPrefix(prefix), position);
    if (claimId < FIRST_FAULT) return this.#sink.prefix(layer, prefix, claimId, position);
    this.#rejectText(printPrefix(prefix), claimId, position);
    return false;
  }

  // eslint-disable-next-line max-params -- ClaimSink's shape: no object per row
  range(layer: number, start: Address, end: Address, claimId: number, position: number): void {
    const bits = commonBits(start, end);
    if (bits < leastBits(start, bits)) this.#refuseIfWide(start, end, position);
    if (claimId < FIRST_FAULT) this.#sink.range(layer, start, end, claimId, position);
    else this.#rejectText(printRange(start, end), claimId, position);
  }

  asn(asn: number, claim: ListClaim, position: number): void {
    assert(Number.isInteger(asn) && asn >= 0 && asn <= LAST_ASN, 'invalid AS number: expected 0 to 2^32 - 1');
    const fault = textFault(claim);
    if (fault !== undefined) {
      this.#tally.reject('text-length', position, `AS${asn}: ${fault}`);
      return;
    }
    this.#tally.accept();
    const held = this.#asns.get(asn);
    if (held === undefined) this.#asns.set(asn, claim);
    else this.#tally.note(this.intern(held) === this.intern(claim) ? 'duplicate' : 'conflict');
  }

  skip(): void {
    this.#tally.accept();
    this.#tally.note('skipped');
  }

  accept(): void {
    this.#sink.accept();
  }

  part(layer: number, prefix: Prefix, claimId: number): void {
    this.#sink.part(layer, prefix, claimId);
  }

  unknown(): void {
    this.#sink.unknown();
  }

  reject(reason: Reason, position: number, excerpt: string): void {
    this.#sink.reject(reason, position, excerpt);
  }

  note(note: Note): void {
    this.#sink.note(note);
  }

  /** Refuses a range with a wide prefix. A small range may cross the border of two wide prefixes. */
  #refuseIfWide(start: Address, end: Address, position: number): void {
    splitRange(start, end, (address, length) => {
      if (length >= leastBits(address, length)) return;
      this.#refuse(printRange(start, end), position);
    });
  }

  #rejectText(network: string, claimId: number, position: number): void {
    this.#tally.reject('text-length', position, `${network}: ${this.#faults[claimId - FIRST_FAULT]!}`);
  }

  #refuse(what: string, position: number): never {
    throw new FeedError(
      'too-wide',
      this.#file.id,
      `row ${position} has ${what}: expected at least /8 in IPv4 and /16 in IPv6`,
    );
  }
}

function printPrefix({ address, length, family }: Prefix): string {
  return formatPrefix(address, length, family);
}

function printRange(start: Address, end: Address): string {
  const family = familyOf(start);
  return `${formatAddress(start, family)}-${formatAddress(end, family)}`;
}
