import type { ListClaim } from '../lists/list-claim.js';
import { PROXY_TYPES } from '../proxy/proxy-types.js';
import { isDataCentreUsage, typeWithUsage } from './believed-type.js';
import { cloudOf, isCustomerCloud } from './cloud-precedence.js';
import { fraudScoreOf } from './fraud-score.js';
import { providerName } from './provider-names.js';
import { isExpired, placeOf, whyDropped, type Drop } from './screen-hits.js';
import type { Hit, ServiceVerdict, Surroundings } from './service.js';
import { compareTyped, rankOf, type TypedHit } from './type-precedence.js';
import { namesDataCentre, usageTypeOf } from './usage-type.js';

/** What whoever runs a build may choose. */
export interface ServicePolicy {
  /** Relays of consumers and gateways of enterprises (CPN, EPN) count as proxies. */
  readonly relaysAreProxies: boolean;
}

export const SERVICE_POLICY: ServicePolicy = { relaysAreProxies: true };

/**
 * What lists come to for an address. The order of the hits says nothing. Types, brands, scores and dates are those of
 * the winning type; threats are those of all lists that count; clouds and usage are independent of both, and are
 * believed of a hit whose other words are not.
 */
export function decideService(
  hits: readonly Hit[],
  surroundings: Surroundings,
  policy = SERVICE_POLICY,
): ServiceVerdict {
  const ordered = [...hits].sort(compareAny);
  const live = ordered.filter((hit) => !isExpired(hit));
  const usageType = usageTypeOf(live, surroundings);
  const screened = screen(live, { asn: surroundings.asn, usageType });
  const threats = joinThreats(screened);
  const dropped = [
    ...ordered.filter(isExpired).map(({ list }) => `${list} expired`),
    ...screened.flatMap(({ hit, drop }) => (drop === undefined ? [] : `${hit.list} ${drop}`)),
  ].sort();
  return {
    ...whatItIs(screened, { usageType, hasThreat: threats.length > 0, policy }),
    ...whoItIs(live),
    ...present({ usageType, cloud: cloudOf(live) }),
    threats,
    isCloudIdc:
      isDataCentreUsage(usageType) ||
      live.some((hit) => isCustomerCloud(hit.claim) || namesDataCentre(hit, surroundings.asn)),
    dropped,
  };
}

/** A live hit, the type it is taken to name, and why that does not count if so. */
interface ScreenedHit {
  readonly hit: Hit;
  readonly type: string | undefined;
  readonly drop: Drop | undefined;
}

interface Known {
  readonly asn: number | undefined;
  readonly usageType: string | undefined;
}

function screen(hits: readonly Hit[], { asn, usageType }: Known): ScreenedHit[] {
  const place = placeOf(hits);
  return hits.map((hit) => {
    const type = typeWithUsage(hit, asn, usageType);
    return { hit, type, drop: whyDropped(hit, type, place) };
  });
}

interface Judged {
  readonly usageType: string | undefined;
  readonly hasThreat: boolean;
  readonly policy: ServicePolicy;
}

type Identity = Pick<
  ServiceVerdict,
  'type' | 'isProxy' | 'decidedBy' | 'provider' | 'fraudScore' | 'lastSeen'
>;

/** The winning type, and what the hits that agree on it say besides. */
function whatItIs(screened: readonly ScreenedHit[], judged: Judged): Identity {
  const typed = screened
    .flatMap(({ hit, type, drop }) => (type === undefined || drop !== undefined ? [] : { hit, type }))
    .sort(compareTyped);
  const [winner] = typed;
  if (winner === undefined) return { isProxy: false };
  const { type, hit } = winner;
  const { isInferred } = rankOf(winner);
  // A range around an address has not seen it: it makes no old sighting younger.
  const agreeing = typed.filter((other) => other.type === type && rankOf(other).isInferred === isInferred);
  const provider = firstOf(agreeing, 'provider');
  return {
    type,
    isProxy: makesProxy(type, judged.policy),
    decidedBy: hit.list,
    lastSeen: Math.max(...agreeing.map(({ hit }) => hit.lastSeen)),
    ...present({
      provider: provider === undefined ? undefined : providerName(provider),
      fraudScore: firstOf(agreeing, 'fraudScore') ?? scoreByRule(winner, agreeing, judged),
    }),
  };
}

function makesProxy(type: string, { relaysAreProxies }: ServicePolicy): boolean {
  const meaning = PROXY_TYPES.get(type);
  return meaning?.isProxy === true && (meaning.isRelay !== true || relaysAreProxies);
}

function scoreByRule(
  winner: TypedHit,
  agreeing: readonly TypedHit[],
  { usageType, hasThreat }: Judged,
): number | undefined {
  if (rankOf(winner).isInferred) return undefined;
  const ageDays = Math.min(...agreeing.map(({ hit }) => hit.ageDays));
  return fraudScoreOf({ type: winner.type, usageType, hasThreat, ageDays });
}

/** What lists tell of the holder of the address, in the order of their ids: no two of them do. */
function whoItIs(hits: readonly Hit[]): Pick<ServiceVerdict, 'isp' | 'domain' | 'carrier'> {
  const said = hits.map((hit) => ({ hit }));
  return present({
    isp: firstOf(said, 'isp'),
    domain: firstOf(said, 'domain'),
    carrier: firstOf(said, 'carrier'),
  });
}

const THREATS_FIRST = ['SPAM', 'SCANNER', 'BOTNET'];

/** A threat of its own makes no proxy: what attacks from an address may as well be its owner. */
function joinThreats(screened: readonly ScreenedHit[]): string[] {
  const named = screened.flatMap(({ hit, drop }) => (drop === 'allowed' ? [] : (hit.claim.threats ?? [])));
  const others = named.filter((threat) => !THREATS_FIRST.includes(threat)).sort();
  return [...new Set([...THREATS_FIRST.filter((threat) => named.includes(threat)), ...others])];
}

function firstOf<Field extends keyof ListClaim>(
  hits: readonly { readonly hit: Hit }[],
  field: Field,
): ListClaim[Field] | undefined {
  return hits.find(({ hit }) => hit.claim[field] !== undefined)?.hit.claim[field];
}

/** The fields that have a value. */
function present<T extends object>(fields: T): { [Field in keyof T]?: Exclude<T[Field], undefined> } {
  const held = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(held) as { [Field in keyof T]?: Exclude<T[Field], undefined> };
}

/** One order for all hits, that of their lists' ids; a list may say one thing of a network and one of its AS. */
function compareAny(a: Hit, b: Hit): number {
  if (a.list !== b.list) return a.list < b.list ? -1 : 1;
  if (a.lastSeen !== b.lastSeen) return b.lastSeen - a.lastSeen;
  const [textA, textB] = [JSON.stringify(a.claim), JSON.stringify(b.claim)];
  return textA === textB ? 0 : textA < textB ? -1 : 1;
}
