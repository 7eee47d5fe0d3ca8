import { isHandle } from '../input/names/organisation-name.js';
import type { Carrier } from './carriers.js';
import type { FeedNames } from './feed-isp-names.js';
import type { Origin } from './isp-inputs.js';
import { sortListings, type Listing } from './listings.js';
import { isExpired } from './proxy-type.js';
import { carrierCalled, carrierOfAs, runsCloud, type SpelledIsp } from './spelled-isp.js';

/** The names that lists give for one network. Undefined is unknown. */
export interface ListedNames {
  readonly isp: string | undefined;
  readonly domain: string | undefined;
  /** Carrier of China by its id in the table of carriers. */
  readonly carrier: string | undefined;
}

/**
 * Returns the first ISP, domain and carrier that the listings name, in the order of their lists' ids. Dropped listings
 * count here, expired ones do not.
 */
export function listedNamesOf(listings: readonly Listing[]): ListedNames {
  let isp: string | undefined;
  let domain: string | undefined;
  let carrier: string | undefined;
  for (const listing of sortListings(listings)) {
    const { claim } = listing;
    if (claim.isp === undefined && claim.domain === undefined && claim.carrier === undefined) continue;
    if (isExpired(listing)) continue;
    isp ??= claim.isp;
    domain ??= claim.domain;
    carrier ??= claim.carrier;
  }
  return { isp, domain, carrier };
}

/** The sources of one network's ISP names. */
export interface NameSources {
  /** Carrier by a list of prefixes. */
  readonly carrier: Carrier | undefined;
  /** ISP of the network itself in a list: the text and the company that it names. */
  readonly listed: { readonly text: string; readonly isp: SpelledIsp | undefined } | undefined;
  readonly fed: FeedNames | undefined;
  readonly holder: Holder | undefined;
}

/** The holder of the AS that announces a network. */
export interface Holder {
  readonly carrier: Carrier | undefined;
  /** Undefined when no registry has a name. */
  readonly name: string | undefined;
}

/** Returns the name of an AS: its organisation, else the short name of the network. */
export function nameOfOrigin({ organisation, name }: Origin): string | undefined {
  return organisation ?? name;
}

/** The names of the ISP of one network. Undefined is unknown. */
export interface IspNames extends NamePair {
  /**
   * The company that uses the network, which may be more precise (`ChinaNet Guangdong Province Network`), else the AS.
   */
  readonly organization: string | undefined;
}

/** The English and the Chinese name of an ISP. */
interface NamePair {
  readonly en: string | undefined;
  readonly zh: string | undefined;
}

/** Returns the holder of an AS. The carrier is found by the AS number, else by its names. */
export function holderOf(origin: Origin): Holder {
  const { asn, name, organisation } = origin;
  const names = [name, organisation].filter((text) => text !== undefined);
  return { carrier: carrierOfAs(asn) ?? carrierCalled(...names), name: nameOfOrigin(origin) };
}

/** Chooses the names of one network's ISP by the table of precedence. A pure function. */
export function nameIsp(sources: NameSources): IspNames {
  const { listed, fed, holder } = sources;
  const { en, zh } = namesByPrecedence(sources);
  return { en, zh, organization: listed?.text ?? fullName([holder?.name, textOf(fed?.english)]) };
}

/**
 * Sources of the names in order of precedence; the first one that knows the ISP decides both names.
 * 1. Prefix lists of carriers, which come from routes and are renewed daily. They show customers as the carrier, so
 *    customers with an operator of their own are excluded.
 * 2. A list's row about the network itself.
 * 3. A cloud that announces its own space.
 * 4. Chinese feeds, which name the users of space that a carrier announces.
 * 5. The holder of the AS, then a feed's name of the AS. Handles of networks rank below all names of companies.
 */
const PRECEDENCE: readonly ((sources: NameSources) => NamePair | undefined)[] = [
  (sources) => (isOfCustomer(sources) ? undefined : namesOfCarrier(sources.carrier)),
  ({ listed, fed }) => listed?.isp && namesOf(listed.isp, textOf(fed?.local)),
  ({ holder }) => namesOfCarrier(cloudOf(holder)),
  ({ fed, holder }) => fed?.local && namesOf(fed.local, englishOf(fed, holder)),
  ({ holder }) => namesOfCarrier(holder?.carrier),
  ({ fed }) => namesOfCarrier(fed?.english?.kind === 'carrier' ? fed.english.carrier : undefined),
  ({ fed, holder }) => ({ en: englishOf(fed, holder), zh: undefined }),
];

function namesByPrecedence(sources: NameSources): NamePair {
  for (const source of PRECEDENCE) {
    const names = source(sources);
    if (names !== undefined) return names;
  }
  return { en: undefined, zh: undefined };
}

/**
 * Whether a network on a carrier's routes belongs to a customer: a cloud, or an ISP that a feed and the AS both name.
 */
function isOfCustomer({ fed, holder }: NameSources): boolean {
  if (cloudOf(holder)) return true;
  return fed?.local?.kind === 'chinese' && holder?.name !== undefined && holder.carrier === undefined;
}

function cloudOf(holder: Holder | undefined): Carrier | undefined {
  return holder?.carrier && runsCloud(holder.carrier) ? holder.carrier : undefined;
}

function namesOfCarrier(carrier: Carrier | undefined): NamePair | undefined {
  return carrier && { en: carrier.en, zh: carrier.zh };
}

/** A name in one script, beside the name in the other script from another source. */
function namesOf(isp: SpelledIsp, other: string | undefined): NamePair {
  if (isp.kind === 'carrier') return { en: isp.carrier.en, zh: isp.carrier.zh };
  return isp.kind === 'chinese' ? { en: other, zh: isp.text } : { en: isp.text, zh: other };
}

/** The English name of an ISP that is not a carrier. The name of a carrier that announces its space is not used. */
function englishOf(fed: FeedNames | undefined, holder: Holder | undefined): string | undefined {
  const nameOfHolder = holder?.carrier ? undefined : holder?.name;
  return fullName([textOf(fed?.english), nameOfHolder, textOf(fed?.spelled)]);
}

/** Returns the first name that is not a handle, such as `COMCAST-7922`, else the first one. */
function fullName(names: readonly (string | undefined)[]): string | undefined {
  const known = names.filter((name) => name !== undefined);
  return known.find((name) => !isHandle(name)) ?? known[0];
}

function textOf(isp: SpelledIsp | undefined): string | undefined {
  return isp === undefined || isp.kind === 'carrier' ? undefined : isp.text;
}
