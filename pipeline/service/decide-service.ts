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

/** What is chosen by default. */
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
  const ordered = hits.length > 1 ? [...hits].sort(compareAny) : hits;
  const live = ordered.filter((hit) => !isExpired(hit));
  const usageType = usageTypeOf(live, surroundings);
  const screened = screen(live, { asn: surroundings.asn, usageType });
  const threats = joinThreats(screened);
  const verdict: Draft = {
    isProxy: false,
    threats,
    isCloudIdc:
      isDataCentreUsage(usageType) ||
      live.some((hit) => isCustomerCloud(hit.claim) || namesDataCentre(hit, surroundings.asn)),
    dropped: droppedOf(ordered, screened),
  };
  settleType(verdict, screened, { usageType, hasThreat: threats.length > 0, policy });
  set(verdict, 'isp', firstOf(live, 'isp'));
  set(verdict, 'domain', firstOf(live, 'domain'));
  set(verdict, 'carrier', firstOf(live, 'carrier'));
  set(verdict, 'usageType', usageType);
  set(verdict, 'cloud', cloudOf(live));
  return verdict;
}

/** A verdict in the making: filled field by field, because a night decides about millions. */
type Draft = { -readonly [Field in keyof ServiceVerdict]: ServiceVerdict[Field] };

function set<Field extends keyof Draft>(draft: Draft, field: Field, value: Draft[Field] | undefined): void {
  if (value !== undefined) draft[field] = value;
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

/** Fills in the winning type, and what the hits that agree on it say besides. */
function settleType(verdict: Draft, screened: readonly ScreenedHit[], judged: Judged): void {
  const typed: TypedHit[] = [];
  for (const { hit, type, drop } of screened) {
    if (type !== undefined && drop === undefined) typed.push({ hit, type });
  }
  const [winner] = typed.sort(compareTyped);
  if (winner === undefined) return;
  const agreeing = agreeingWith(winner, typed);
  const provider = firstOf(agreeing, 'provider');
  verdict.type = winner.type;
  verdict.isProxy = makesProxy(winner.type, judged.policy);
  verdict.decidedBy = winner.hit.list;
  verdict.lastSeen = Math.max(...agreeing.map(({ lastSeen }) => lastSeen));
  set(verdict, 'provider', provider === undefined ? undefined : providerName(provider));
  set(verdict, 'fraudScore', firstOf(agreeing, 'fraudScore') ?? scoreByRule(winner, agreeing, judged));
}

/** The hits of the winning type. A range around an address has not seen it: it makes no old sighting younger. */
function agreeingWith(winner: TypedHit, typed: readonly TypedHit[]): Hit[] {
  const { isInferred } = rankOf(winner);
  return typed
    .filter((other) => other.type === winner.type && rankOf(other).isInferred === isInferred)
    .map(({ hit }) => hit);
}

function makesProxy(type: string, { relaysAreProxies }: ServicePolicy): boolean {
  const meaning = PROXY_TYPES.get(type);
  return meaning?.isProxy === true && (meaning.isRelay !== true || relaysAreProxies);
}

function scoreByRule(
  winner: TypedHit,
  agreeing: readonly Hit[],
  { usageType, hasThreat }: Judged,
): number | undefined {
  if (rankOf(winner).isInferred) return undefined;
  const ageDays = Math.min(...agreeing.map(({ ageDays }) => ageDays));
  return fraudScoreOf({ type: winner.type, usageType, hasThreat, ageDays });
}

const THREATS_FIRST = ['SPAM', 'SCANNER', 'BOTNET'];

/** A threat of its own makes no proxy: what attacks from an address may as well be its owner. */
function joinThreats(screened: readonly ScreenedHit[]): string[] {
  const named = new Set<string>();
  for (const { hit, drop } of screened) {
    if (drop !== 'allowed') for (const threat of hit.claim.threats ?? []) named.add(threat);
  }
  if (named.size < 2) return [...named];
  const others = [...named].filter((threat) => !THREATS_FIRST.includes(threat)).sort();
  return [...THREATS_FIRST.filter((threat) => named.has(threat)), ...others];
}

/** `<list> <why>`, of hits that are too old and of live ones that do not count. */
function droppedOf(hits: readonly Hit[], screened: readonly ScreenedHit[]): string[] {
  const dropped: string[] = [];
  for (const hit of hits) if (isExpired(hit)) dropped.push(`${hit.list} expired`);
  for (const { hit, drop } of screened) if (drop !== undefined) dropped.push(`${hit.list} ${drop}`);
  return dropped.sort();
}

/** The first hit's word: in the order of ids, or of precedence. */
function firstOf<Field extends keyof ListClaim>(
  hits: readonly Hit[],
  field: Field,
): ListClaim[Field] | undefined {
  return hits.find(({ claim }) => claim[field] !== undefined)?.claim[field];
}

/** One order for all hits, that of their lists' ids; a list may say one thing of a network and one of its AS. */
function compareAny(a: Hit, b: Hit): number {
  if (a.list !== b.list) return a.list < b.list ? -1 : 1;
  if (a.lastSeen !== b.lastSeen) return b.lastSeen - a.lastSeen;
  const [textA, textB] = [JSON.stringify(a.claim), JSON.stringify(b.claim)];
  return textA === textB ? 0 : textA < textB ? -1 : 1;
}
