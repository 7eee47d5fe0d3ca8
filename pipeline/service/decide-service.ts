import { PROXY_TYPES } from '../proxy/proxy-types.js';
import { isDataCentreUsage, typeWithUsage } from './believed-type.js';
import { cloudOf, isCustomerCloud } from './cloud-precedence.js';
import { fraudScoreOf } from './fraud-score.js';
import { inOrder } from './hit-order.js';
import { compareListedFirst } from './listed-first.js';
import { providerName } from './provider-names.js';
import { isExpired, placeOf, whyDropped, type Drop } from './screen-hits.js';
import type { Hit, ServiceVerdict, Surroundings } from './service.js';
import { compareRanked, rankOf, type RankedHit } from './type-precedence.js';
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
 * believed of a hit whose other words are not. It looks at nothing of a hit and its surroundings but what
 * `relevance.ts` tells. A night decides about many thousands of combinations, most of them of one hit: nothing is copied,
 * sorted or collected where there is nothing to be.
 */
export function decideService(
  hits: readonly Hit[],
  surroundings: Surroundings,
  policy = SERVICE_POLICY,
): ServiceVerdict {
  const ordered = inOrder(hits);
  const live = ordered.some(isExpired) ? ordered.filter((hit) => !isExpired(hit)) : ordered;
  const usageType = usageTypeOf(live, surroundings);
  const screened = screen(live, { asn: surroundings.asn, usageType });
  const threats = joinThreats(screened);
  const verdict: Draft = {
    isProxy: false,
    threats,
    isCloudIdc: isDataCentreUsage(usageType) || standsInDataCentre(live, surroundings.asn),
    dropped: droppedOf(ordered, screened),
  };
  settleType(verdict, screened, { usageType, hasThreat: threats.length > 0, policy });
  set(verdict, 'usageType', usageType);
  set(verdict, 'cloud', cloudOf(live));
  return verdict;
}

/** A verdict in the making. */
type Draft = { -readonly [Field in keyof ServiceVerdict]: ServiceVerdict[Field] };

function set<Field extends keyof Draft>(draft: Draft, field: Field, value: Draft[Field] | undefined): void {
  if (value !== undefined) draft[field] = value;
}

function standsInDataCentre(live: readonly Hit[], asn: number | undefined): boolean {
  for (const hit of live) if (isCustomerCloud(hit.claim) || namesDataCentre(hit, asn)) return true;
  return false;
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
  const ranked = inRank(screened);
  const winner = ranked[0];
  if (winner === undefined) return;
  const { provider, fraudScore, lastSeen, ageDays } = agreementWith(winner, ranked);
  verdict.type = winner.type;
  verdict.isProxy = makesProxy(winner.type, judged.policy);
  verdict.decidedBy = winner.hit.list;
  verdict.lastSeen = lastSeen;
  set(verdict, 'provider', provider === undefined ? undefined : providerName(provider));
  set(verdict, 'fraudScore', fraudScore ?? scoreByRule(winner, ageDays, judged));
}

/** The hits that count and name a type, the strongest first. */
function inRank(screened: readonly ScreenedHit[]): RankedHit[] {
  const ranked: RankedHit[] = [];
  for (const { hit, type, drop } of screened) {
    if (type !== undefined && drop === undefined) ranked.push({ hit, type, row: rankOf({ hit, type }) });
  }
  return ranked.length > 1 ? ranked.sort(compareRanked) : ranked;
}

/** What the hits of the winning type say together: of each word the strongest, of sightings the last. */
interface Agreement {
  provider: string | undefined;
  fraudScore: number | undefined;
  lastSeen: number;
  ageDays: number;
}

/** A range around an address has not seen it: it makes no old sighting younger. */
function agreementWith(winner: RankedHit, ranked: readonly RankedHit[]): Agreement {
  const { lastSeen, ageDays } = winner.hit;
  const agreed: Agreement = { provider: undefined, fraudScore: undefined, lastSeen, ageDays };
  for (const { hit, type, row } of ranked) {
    if (type !== winner.type || row.isInferred !== winner.row.isInferred) continue;
    agreed.provider ??= hit.claim.provider;
    agreed.fraudScore ??= hit.claim.fraudScore;
    agreed.lastSeen = Math.max(agreed.lastSeen, hit.lastSeen);
    agreed.ageDays = Math.min(agreed.ageDays, hit.ageDays);
  }
  return agreed;
}

function makesProxy(type: string, { relaysAreProxies }: ServicePolicy): boolean {
  const meaning = PROXY_TYPES.get(type);
  return meaning?.isProxy === true && (meaning.isRelay !== true || relaysAreProxies);
}

function scoreByRule(
  { type, row }: RankedHit,
  ageDays: number,
  { usageType, hasThreat }: Judged,
): number | undefined {
  return row.isInferred ? undefined : fraudScoreOf({ type, usageType, hasThreat, ageDays });
}

const THREATS_FIRST = ['SPAM', 'SCANNER', 'BOTNET'];

/** A threat of its own makes no proxy: what attacks from an address may as well be its owner. */
function joinThreats(screened: readonly ScreenedHit[]): string[] {
  const named: string[] = [];
  for (const { hit, drop } of screened) {
    const { threats } = hit.claim;
    if (threats === undefined || drop === 'allowed') continue;
    for (const threat of threats) if (!named.includes(threat)) named.push(threat);
  }
  return named.length > 1 ? named.sort((a, b) => compareListedFirst(THREATS_FIRST, a, b)) : named;
}

/** `<list> <why>`, of hits that are too old and of live ones that do not count. */
function droppedOf(hits: readonly Hit[], screened: readonly ScreenedHit[]): string[] {
  const dropped: string[] = [];
  for (const hit of hits) if (isExpired(hit)) dropped.push(`${hit.list} expired`);
  for (const { hit, drop } of screened) if (drop !== undefined) dropped.push(`${hit.list} ${drop}`);
  return dropped.length > 1 ? dropped.sort() : dropped;
}
