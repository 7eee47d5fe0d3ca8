import assert from 'node:assert';
import { LayeredRows, type ClaimedNetworks } from '../feeds/claim-sink.js';
import type { ClaimSink, OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import type { Note, Reason, Tally } from '../feeds/tally.js';
import { commonBits, familyOf, formatAddress, IPV4_DEPTH, type Address } from '../net/address.js';
import { formatPrefix, type Prefix } from '../net/prefix.js';
import { splitRange } from '../net/range.js';
import type { FlatTable } from '../table/flat-table.js';
import type { List, ListSink } from './list.js';
import { ListClaimTable, type ListClaim } from './list-claim.js';
import { textFault } from './text-limits.js';

/** What a list says, normalised. */
export interface ListTable extends ClaimedNetworks<ListClaim> {
  /** What it says about whole autonomous systems. */
  readonly asns: ReadonlyMap<number, ListClaim>;
}

/** Collects the rows of one list: as those of a feed, and beside them those about autonomous systems. */
export class ListRows {
  readonly #list: List;
  readonly #rows: LayeredRows<ListClaim>;
  readonly #asns = new Map<number, ListClaim>();

  constructor(list: List, reserved: FlatTable) {
    this.#list = list;
    const { layers, foldMapped = false } = list;
    this.#rows = new LayeredRows(new ListClaimTable(), { layers: layers.length, reserved }, { foldMapped });
  }

  /** The sink for the rows of one file, which are counted in `tally`. */
  sinkFor(file: OpenFile, tally: Tally): ListSink {
    return new GuardedSink(file, this.#rows.sinkFor(file, tally), tally, this.#asns);
  }

  finish(): ListTable {
    return { ...this.#rows.finish((said) => this.#list.combine(said)), asns: this.#asns };
  }
}

/** Whether a prefix is wider than any operator's: shorter than /8, in IPv6 than /16. */
export function isTooWide({ address, length, family }: Prefix): boolean {
  return length < leastBits(address, length, family);
}

/** Shortest prefixes that a list may hold, in bits of the 128-bit space. ::ffff:0:0/96 is all of IPv4. */
function leastBits(address: Address, length: number, family = familyOf(address)): number {
  return family === 4 || (length >= IPV4_DEPTH && isMapped(address)) ? IPV4_DEPTH + 8 : 16;
}

function isMapped(address: Address): boolean {
  return address[0] === 0 && address[1] === 0 && address[2] === 0xffff;
}

const LAST_ASN = 0xffffffff;
/** Ids from here on are no claims but faults of claims, so that a row costs no more than a comparison. */
const FIRST_FAULT = 0x4000_0000;

/** The sink of one file, which stops at space that no operator has and rejects rows with texts that are none. */
class GuardedSink implements ListSink {
  readonly #file: OpenFile;
  readonly #sink: ClaimSink<ListClaim>;
  readonly #tally: Tally;
  readonly #asns: Map<number, ListClaim>;
  /** By id from `FIRST_FAULT` on, in words. */
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

  prefix(layer: number, prefix: Prefix, claimId: number, position: number): void {
    if (isTooWide(prefix)) this.#refuse(printPrefix(prefix), position);
    if (claimId < FIRST_FAULT) this.#sink.prefix(layer, prefix, claimId, position);
    else this.#rejectText(printPrefix(prefix), claimId, position);
  }

  // eslint-disable-next-line max-params -- ClaimSink's shape: no object per row
  range(layer: number, start: Address, end: Address, claimId: number, position: number): void {
    const bits = commonBits(start, end);
    if (bits < leastBits(start, bits)) this.#refuseIfWide(start, end, position);
    if (claimId < FIRST_FAULT) this.#sink.range(layer, start, end, claimId, position);
    else this.#rejectText(printRange(start, end), claimId, position);
  }

  asn(asn: number, claim: ListClaim, position: number): void {
    assert(Number.isInteger(asn) && asn >= 0 && asn <= LAST_ASN, 'an AS number has 32 bits');
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

  unknown(): void {
    this.#sink.unknown();
  }

  reject(reason: Reason, position: number, excerpt: string): void {
    this.#sink.reject(reason, position, excerpt);
  }

  note(note: Note): void {
    this.#sink.note(note);
  }

  /** A range may cross the border of two wide prefixes and still be small. */
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
    throw new FeedError('too-wide', this.#file.id, `row ${position} names ${what}`);
  }
}

function printPrefix({ address, length, family }: Prefix): string {
  return formatPrefix(address, length, family);
}

function printRange(start: Address, end: Address): string {
  const family = familyOf(start);
  return `${formatAddress(start, family)}-${formatAddress(end, family)}`;
}
