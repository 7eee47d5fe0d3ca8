import type { ListClaim } from '../lists/list-claim.js';
import { present } from '../mmdb/present.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT } from '../table/zip.js';
import { decideListings, type ProxyPolicy } from './decide-listings.js';
import type { FeedNameTable } from './feed-isp-names.js';
import type { ListInput, Origin } from './isp-inputs.js';
import {
  holderOf,
  listedNamesOf,
  nameIsp,
  nameOfOrigin,
  type Holder,
  type NameSources,
} from './isp-names.js';
import { Interner, IspRecordTable, listedPart } from './isp-record-table.js';
import { listingsOfAs, type Listing, type ListingTable } from './listings.js';
import { UNKNOWN_USE, type NetworkUse } from './network-use.js';
import { isExpired, RENTED_HOSTING } from './proxy-type.js';
import { carrierById, parseIspName } from './spelled-isp.js';
import { UNKNOWN_ANNOUNCER, type Announcer } from './usage-type.js';

/** The sources of the records. */
export interface RecordSources {
  readonly lists: readonly ListInput[];
  readonly listings: ListingTable;
  readonly feedNames: FeedNameTable;
  readonly origins: readonly Origin[];
  /** What the network of each AS is used for, by AS number. */
  readonly uses: ReadonlyMap<number, NetworkUse>;
  readonly policy: ProxyPolicy;
}

/** Record ids of the listings, the origin and the feed names of a network, or ABSENT. */
export type Combination = readonly [listings: number, origin: number, feedNames: number];

/** An origin, and further facts about its AS. */
interface KnownOrigin {
  readonly origin: Origin;
  readonly announcer: Announcer;
  readonly holder: Holder;
  /** Listings of the whole AS. */
  readonly listings: readonly Listing[];
  /** Number of its class: decisions treat the origins of one class alike. */
  readonly classNumber: number;
}

/** The names in listings, and the companies that they identify. */
interface ReadNames extends Pick<NameSources, 'carrier' | 'listed'> {
  readonly isp: string | undefined;
  readonly domain: string | undefined;
}

/** A decision, with the first combination and origin that it was made for. */
export interface Decided {
  readonly combination: number;
  readonly origin: KnownOrigin | undefined;
  /** Number of its part of the record. */
  readonly listed: number;
  readonly decidedBy: string | undefined;
  readonly dropped: readonly string[];
}

/**
 * Makes the record of each distinct combination of listings, origin and feed names, which are record ids or ABSENT. A
 * full night has a million of them: decisions are shared by combinations that differ only in the names they give, and
 * operators by combinations that give the same names.
 */
export class RecordMaker {
  readonly records = new IspRecordTable();
  readonly decisions: Decided[] = [];
  readonly #sources: RecordSources;
  readonly #origins: readonly KnownOrigin[];
  /** Numbers of the combinations without their names. */
  readonly #withoutNames: Int32Array;
  /** Numbers of the combinations by their names only. */
  readonly #namesOnly: Int32Array;
  readonly #pairs = new TupleMemo(2);
  readonly #pair = new Int32Array(2);
  /** The inputs of an operator's names: names in listings, origin, feed names, whether there is a proxy type. */
  readonly #tuples = new TupleMemo(4);
  readonly #tuple = new Int32Array(4);
  /** Numbers of operators, by tuple. */
  readonly #operators: number[] = [];
  readonly #names = new Interner<ReadNames>();
  /** Numbers of the names of combinations without listings of their AS, by number in `#namesOnly`. */
  readonly #namesOfNetworks: number[] = [];

  constructor(sources: RecordSources) {
    this.#sources = sources;
    this.#origins = knownOrigins(sources.origins, sources);
    this.#withoutNames = sources.listings.numberBy(({ claim }) => withoutNames(claim));
    this.#namesOnly = sources.listings.numberBy((listing) =>
      isExpired(listing) ? undefined : namesOnly(listing.claim),
    );
  }

  /** Returns the number of the decision about a combination of listings at an origin. */
  decisionOf([listings, originId]: Combination): number {
    const origin = this.#originOf(originId);
    this.#pair[0] = listings === ABSENT ? ABSENT : this.#withoutNames[listings]!;
    this.#pair[1] = origin === undefined ? ABSENT : origin.classNumber;
    const number = this.#pairs.number(this.#pair);
    if (number === this.decisions.length) this.decisions.push(this.#decide(listings, origin));
    return number;
  }

  /** Returns the id of the record of a combination, from the decision about it. */
  recordOf(decision: number, combination: Combination): number {
    const [listings, originId, feedNames] = combination;
    const { listed, decidedBy } = this.decisions[decision]!;
    const hasType = decidedBy !== undefined;
    this.#tuple[0] = this.#namesIn(listings, this.#originOf(originId));
    this.#tuple[1] = originId;
    this.#tuple[2] = feedNames;
    this.#tuple[3] = hasType ? 1 : 0;
    const number = this.#tuples.number(this.#tuple);
    if (number === this.#operators.length) this.#operators.push(this.#nameOperator());
    return this.records.intern(listed, this.#operators[number]!);
  }

  /** Returns the ids of the lists with listings behind a decision, each once. */
  listsOf({ combination, origin }: Decided): Set<string> {
    return new Set(this.#listingsOf(combination, origin).map(({ list }) => list));
  }

  #decide(combination: number, origin: KnownOrigin | undefined): Decided {
    const listings = this.#listingsOf(combination, origin);
    const decision = decideListings(listings, origin?.announcer ?? UNKNOWN_ANNOUNCER, this.#sources.policy);
    const { decidedBy, dropped } = decision;
    const listed = this.records.internListed(listedPart(decision));
    return { combination, origin, listed, decidedBy, dropped };
  }

  /** Returns the number of the names that the listings of a network and its AS give. */
  #namesIn(listings: number, origin: KnownOrigin | undefined): number {
    if (origin?.listings.some(({ claim }) => namesOnly(claim) !== undefined)) {
      return this.#readNames(this.#listingsOf(listings, origin));
    }
    if (listings === ABSENT) return ABSENT;
    return (this.#namesOfNetworks[this.#namesOnly[listings]!] ??= this.#readNames(
      this.#listingsOf(listings, undefined),
    ));
  }

  #readNames(listings: readonly Listing[]): number {
    const { isp, domain, carrier } = listedNamesOf(listings);
    return this.#names.numberOf(JSON.stringify([isp, domain, carrier]), () => ({
      isp,
      domain,
      carrier: carrier === undefined ? undefined : carrierById(carrier),
      listed: isp === undefined ? undefined : { text: isp, isp: parseIspName(isp) },
    }));
  }

  /** Names the operator of the tuple in `#tuple`. */
  #nameOperator(): number {
    const [namesId, originId, feedNames, hasType] = this.#tuple;
    const known = this.#originOf(originId!);
    const read = namesId === ABSENT ? undefined : this.#names.at(namesId!);
    const holder = known && nameOfOrigin(known.origin);
    return this.records.internOperator({
      asn: known?.origin.asn,
      holder,
      names: nameIsp({
        carrier: read?.carrier,
        listed: read?.listed,
        fed: feedNames === ABSENT ? undefined : this.#sources.feedNames.namesOf(feedNames!),
        holder: known?.holder,
      }),
      proxyIsp: hasType === 1 ? (read?.isp ?? holder) : undefined,
      proxyDomain: hasType === 1 ? (read?.domain ?? known?.origin.domain) : undefined,
    });
  }

  #listingsOf(combination: number, origin: KnownOrigin | undefined): Listing[] {
    const ofNetwork = this.#sources.listings.listingsOf(combination);
    return origin === undefined ? ofNetwork : [...ofNetwork, ...origin.listings];
  }

  #originOf(id: number): KnownOrigin | undefined {
    return id === ABSENT ? undefined : this.#origins[id];
  }
}

/**
 * Collects the facts about each origin. An AS with listings has its own class. The others share a class with the ASes
 * that decisions treat alike.
 */
function knownOrigins(
  origins: readonly Origin[],
  { lists, uses }: Pick<RecordSources, 'lists' | 'uses'>,
): KnownOrigin[] {
  const classes = new Map<string, number>();
  return origins.map((origin) => {
    const { asn } = origin;
    const announcer = { asn, ...(uses.get(asn) ?? UNKNOWN_USE) };
    const listings = listingsOfAs(asn, lists);
    const key = listings.length > 0 ? `AS${asn}` : announcerClass(announcer);
    const classNumber = classes.get(key) ?? classes.size;
    classes.set(key, classNumber);
    return { origin, announcer, holder: holderOf(origin), listings, classNumber };
  });
}

/** Returns a text that is equal for announcers that decisions treat alike. */
export function announcerClass({ asn, usage = '', isAccess }: Announcer): string {
  const use = isAccess ? `${usage} access` : usage;
  return asn !== undefined && RENTED_HOSTING.has(asn) ? `AS${asn} ${use}` : use;
}

/** Returns the part of a claim that decisions look at: all but the names. */
export function withoutNames({
  isp: _isp,
  domain: _domain,
  carrier: _carrier,
  ...rest
}: ListClaim): ListClaim {
  return rest;
}

/** The part of a claim that names operators; undefined when it names none. */
function namesOnly({ isp, domain, carrier }: ListClaim): ListClaim | undefined {
  if (isp === undefined && domain === undefined && carrier === undefined) return undefined;
  return present({ isp, domain, carrier });
}
