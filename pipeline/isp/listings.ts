import { hostingProviderOf } from '../lists/cloud/hosting-networks.js';
import { ListClaimTable, type ListClaim } from '../lists/list-claim.js';
import type { FlatTable } from '../table/flat-table.js';
import { Uint32Column } from '../table/slots.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT, zip } from '../table/zip.js';
import type { ListInput } from './isp-inputs.js';

/** A list's claim about one network or AS, with its date filled in. */
export interface Listing {
  /** Id of the list. */
  readonly list: string;
  readonly claim: ListClaim;
  /** Days since 1970-01-01. */
  readonly lastSeen: number;
  /** Days from `lastSeen` to the list's `today`; 0 or more. */
  readonly ageDays: number;
  /** Days from the copy of the list to its `today`; the copy may be younger than the row. */
  readonly copyAgeDays: number;
}

/** A list that takes part in a listing table. */
export type ListingSource = Pick<ListInput, 'id' | 'table' | 'claims' | 'day' | 'today'>;

/** Id of the listings that the table of hosting networks makes; it has no place in any precedence, so it ranks last. */
export const HOSTING_NETWORKS_ID = 'hosting-networks';

/** Dates a claim: a row without a date, or with a date after `today`, was last seen on the day of the copy. */
export function listingOf(
  { id, day, today }: Omit<ListingSource, 'table' | 'claims'>,
  claim: ListClaim,
): Listing {
  const lastSeen = claim.lastSeen === undefined || claim.lastSeen > today ? day : claim.lastSeen;
  return {
    list: id,
    claim,
    lastSeen,
    ageDays: Math.max(0, today - lastSeen),
    copyAgeDays: Math.max(0, today - day),
  };
}

/**
 * Returns the listings of a whole AS: that of the table of hosting networks, then those of the lists in their order.
 */
export function listingsOfAs(asn: number, lists: readonly ListInput[]): Listing[] {
  const listings: Listing[] = [];
  const provider = hostingProviderOf(asn);
  if (provider !== undefined) {
    listings.push(listingOf({ id: HOSTING_NETWORKS_ID, day: 0, today: 0 }, { cloud: provider }));
  }
  for (const list of lists) {
    const claim = list.asns.get(asn);
    if (claim !== undefined) listings.push(listingOf(list, claim));
  }
  return listings;
}

/** Sorts listings by list id, so that the result of a decision does not depend on their order. */
export function sortListings(listings: readonly Listing[]): readonly Listing[] {
  for (let i = 1; i < listings.length; i++) {
    if (compareListings(listings[i - 1]!, listings[i]!) > 0) return [...listings].sort(compareListings);
  }
  return listings;
}

/**
 * A list may have a listing of the network and one of its AS: the later date goes first, then the claims by their text.
 */
function compareListings(a: Listing, b: Listing): number {
  if (a.list !== b.list) return a.list < b.list ? -1 : 1;
  return b.lastSeen - a.lastSeen || compareTexts(textOf(a), textOf(b));
}

/** The claim as JSON with the names last: they must not change the order in which the other fields are looked at. */
function textOf({ claim: { isp, domain, carrier, ...rest } }: Listing): string {
  return JSON.stringify([rest, isp, domain, carrier]);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** All lists as one table. Each record id is a distinct combination of claims: at most one claim of each list. */
export class ListingTable {
  readonly table: FlatTable;
  readonly #sources: readonly ListingSource[];
  /** Where each combination begins in the two columns below. */
  readonly #starts = new Uint32Column();
  readonly #sourceColumn = new Uint32Column();
  readonly #claimColumn = new Uint32Column();

  constructor(sources: readonly ListingSource[]) {
    this.#sources = sources;
    this.table = zip(
      sources.map(({ table }) => table),
      (claimIds) => this.#add(claimIds),
    );
    push(this.#starts, this.#claimColumn.length);
  }

  /** Returns the listings of a combination in the order of the sources; none for ABSENT. */
  listingsOf(combination: number): Listing[] {
    const listings: Listing[] = [];
    this.#forEach(combination, (place, claimId) => {
      const source = this.#sources[place]!;
      listings.push(listingOf(source, source.claims[claimId]!));
    });
    return listings;
  }

  /**
   * Numbers the combinations by a part of their claims: those that are equal in it share a number. `partOf` returns
   * undefined for a listing without that part.
   */
  numberBy(partOf: (listing: Listing) => ListClaim | undefined): Int32Array {
    const partIds = this.#sources.map((source) => {
      const parts = new ListClaimTable();
      return Int32Array.from(source.claims, (claim) => {
        const part = partOf(listingOf(source, claim));
        return part === undefined ? ABSENT : parts.intern(part);
      });
    });
    const memo = new TupleMemo(this.#sources.length);
    const tuple = new Int32Array(this.#sources.length);
    const put = (place: number, claimId: number): void => {
      tuple[place] = partIds[place]![claimId]!;
    };
    const numbers = new Int32Array(this.#starts.length - 1);
    for (let combination = 0; combination < numbers.length; combination++) {
      tuple.fill(ABSENT);
      this.#forEach(combination, put);
      numbers[combination] = memo.number(tuple);
    }
    return numbers;
  }

  /** Calls `visit` with the place of each source that has a claim in the combination, and the id of the claim. */
  #forEach(combination: number, visit: (place: number, claimId: number) => void): void {
    if (combination === ABSENT) return;
    const end = this.#starts.values[combination + 1]!;
    for (let at = this.#starts.values[combination]!; at < end; at++) {
      visit(this.#sourceColumn.values[at]!, this.#claimColumn.values[at]!);
    }
  }

  #add(claimIds: Int32Array): number {
    push(this.#starts, this.#claimColumn.length);
    for (let source = 0; source < claimIds.length; source++) {
      if (claimIds[source] === ABSENT) continue;
      push(this.#sourceColumn, source);
      push(this.#claimColumn, claimIds[source]!);
    }
    return this.#starts.length - 1;
  }
}

function push(column: Uint32Column, value: number): void {
  if (column.length === column.values.length) column.reserve(1);
  column.values[column.length++] = value;
}
