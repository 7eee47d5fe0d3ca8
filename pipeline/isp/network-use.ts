import { hostingProviderOf } from '../lists/cloud/hosting-networks.js';
import type { ListInput, Origin, OriginTable } from './isp-inputs.js';
import { ACCESS_USAGES, spaceByAs, type AsSpace } from './as-space.js';
import { isHostingByNames, isMobileByNames, useByNames } from './network-words.js';
import { RENTED_HOSTING } from './proxy-type.js';
import { carrierOfAs, runsCloud } from './spelled-isp.js';

/** What the network of an AS is used for. */
export interface NetworkUse {
  /** The usage type of its addresses that no list knows; undefined when it is unknown. */
  readonly usage: string | undefined;
  /** Whether the AS connects subscribers and is no hosting company. */
  readonly isAccess: boolean;
}

/** The use of an unknown AS. */
export const UNKNOWN_USE: NetworkUse = { usage: undefined, isAccess: false };

/**
 * Usage types by PeeringDB's `info_type` (https://www.peeringdb.com/apidocs/). `Content` covers hosting, delivery
 * networks and web companies alike, and route servers match no code, so these have no usage type.
 */
export const USAGE_BY_NETWORK_TYPE: ReadonlyMap<string, string> = new Map([
  ['Cable/DSL/ISP', 'ISP'],
  ['NSP', 'ISP'],
  ['Educational/Research', 'EDU'],
  ['Government', 'GOV'],
  ['Enterprise', 'COM'],
  ['Non-Profit', 'ORG'],
]);

/** PeeringDB's types without a usage type. Names do not make a network of these types a carrier. */
const TYPES_WITHOUT_USAGE: ReadonlySet<string> = new Set([
  'Content',
  'Network Services',
  'Route Server',
  'Route Collector',
]);

/** The type of networks that connect subscribers; an `NSP` also connects data centres. */
const ACCESS_TYPE = 'Cable/DSL/ISP';

/** Carriers of research networks; the other carriers connect subscribers. */
const RESEARCH_CARRIERS: ReadonlySet<string> = new Set(['cernet', 'cstnet']);

/** Share of its space in inferred data centres from which an AS is a hosting company. */
const HOSTING_SHARE = 2 / 3;

/** What is known about an AS. */
export interface KnownAs {
  readonly origin: Origin;
  readonly networkType: string | undefined;
  readonly space: AsSpace | undefined;
}

/** The sources of the uses of all ASes. */
export interface UseSources {
  readonly lists: readonly ListInput[];
  readonly origins: OriginTable;
  readonly networkTypes: ReadonlyMap<number, string>;
}

/** Returns the uses of all ASes that announce networks, by AS number. */
export function networkUses({ lists, origins, networkTypes }: UseSources): ReadonlyMap<number, NetworkUse> {
  const spaces = spaceByAs(origins, lists);
  const uses = new Map<number, NetworkUse>();
  for (const origin of origins.records) {
    const { asn } = origin;
    uses.set(asn, useOfAs({ origin, networkType: networkTypes.get(asn), space: spaces.get(asn) }));
  }
  return uses;
}

/**
 * Decides the use of an AS: by the usages that a list states for its networks; else by PeeringDB's type, where the name
 * of a mobile carrier makes `MOB` of `ISP`; else by the table of carriers and by its names. A hosting company that
 * calls itself an ISP has no usage type unless a list states one.
 */
export function useOfAs(known: KnownAs): NetworkUse {
  const typed = USAGE_BY_NETWORK_TYPE.get(known.networkType ?? '');
  if (typed !== undefined && typed !== 'ISP') return { usage: typed, isAccess: false };
  const isHosting = isHostingCompany(known);
  const derived = isHosting ? UNKNOWN_USE : typed === undefined ? untypedUse(known) : typedUse(known);
  const stated = known.space && votedUsage(known.space.votes);
  return {
    usage: stated === 'mixed' ? (derived.usage ?? 'ISP') : (stated ?? derived.usage),
    isAccess: derived.isAccess || (stated !== undefined && !isHosting),
  };
}

/** Returns the use of a network that PeeringDB types as a carrier. */
function typedUse({ origin, networkType }: KnownAs): NetworkUse {
  const isMobile = isMobileByNames(origin);
  return { usage: isMobile ? 'MOB' : 'ISP', isAccess: isMobile || networkType === ACCESS_TYPE };
}

/** Returns the use of a network without a type. The backbones in the table of carriers also connect data centres. */
function untypedUse({ origin, networkType, space }: KnownAs): NetworkUse {
  if (TYPES_WITHOUT_USAGE.has(networkType ?? '')) return UNKNOWN_USE;
  const usage = useByNames(origin, space?.addresses ?? 0);
  const carrier = carrierOfAs(origin.asn);
  if (carrier === undefined || runsCloud(carrier))
    return { usage, isAccess: usage === 'ISP' || usage === 'MOB' };
  if (RESEARCH_CARRIERS.has(carrier.id)) return { usage: 'EDU', isAccess: false };
  return { usage: usage === 'MOB' ? usage : 'ISP', isAccess: usage === 'MOB' };
}

function isHostingCompany({ origin, space }: KnownAs): boolean {
  return (
    RENTED_HOSTING.has(origin.asn) ||
    hostingProviderOf(origin.asn) !== undefined ||
    isHostingByNames(origin) ||
    (space !== undefined && space.dataCentreShare >= HOSTING_SHARE)
  );
}

/** Networks with a stated usage that an AS needs, and the share of them that must be access networks. */
const MIN_VOTES = 2;
const ACCESS_SHARE = 0.5;
/** Share of the votes for access networks from which one usage type is that of the AS. */
const SAME_SHARE = 0.7;

/**
 * Returns the usage type of an access network by the usages stated for its networks: `mixed` when none of them
 * prevails, undefined when there are too few or the AS is no access network.
 */
export function votedUsage(votes: ArrayLike<number>): string | undefined {
  let access = 0;
  let best = 0;
  for (let i = 0; i < ACCESS_USAGES.length; i++) {
    access += votes[i]!;
    if (votes[i]! > votes[best]!) best = i;
  }
  if (access < MIN_VOTES || access < ACCESS_SHARE * (access + votes[ACCESS_USAGES.length]!)) return undefined;
  return votes[best]! >= SAME_SHARE * access ? ACCESS_USAGES[best] : 'mixed';
}
