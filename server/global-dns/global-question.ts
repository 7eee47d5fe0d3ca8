import { VANTAGE_POINTS, type VantagePoint } from '../../pipeline/vantage-points/catalogue.js';
import type { DohResolver } from '../config.js';
import { typeNumberOf } from '../dns/record-types.js';
import { publicName } from '../targets/public-name.js';
import type { ReservedSpace } from '../targets/reserved-space.js';

/** The query parameters as the caller wrote them. A missing one is `undefined` or empty. */
export interface GlobalQuery {
  readonly domain: string | undefined;
  readonly type: string | undefined;
  readonly provider: string | undefined;
  readonly region: string | undefined;
}

/** The parsed query. */
export interface GlobalQuestion {
  readonly type: string;
  /** The caller's `region` parameter if it is a number, valid or not. The answer echoes it. */
  readonly vantagePointCode: number | undefined;
  readonly vantagePoint: VantagePoint | undefined;
  readonly resolver: DohResolver | undefined;
  readonly name: string | undefined;
  /** Why the question cannot be sent. Absent when it is valid. */
  readonly error: string | undefined;
}

/** The resolvers a question may go to and the address space it must not be about. */
export interface GlobalScope {
  readonly resolvers: readonly DohResolver[];
  readonly reserved: ReservedSpace;
}

/** Parses a query. Invalid parameters are undefined and described by `error`. */
export function parseGlobalQuestion(
  query: GlobalQuery,
  { resolvers, reserved }: GlobalScope,
): GlobalQuestion {
  const { domain = '', region = '', provider = '' } = query;
  const vantagePointCode = /^\d{1,9}$/.test(region) ? Number(region) : undefined;
  const question = {
    type: parseType(query.type),
    vantagePointCode,
    vantagePoint: VANTAGE_POINTS.find(({ code }) => code === vantagePointCode),
    resolver: /^\d{0,2}$/.test(provider) ? resolvers[Number(provider)] : undefined,
    name: parseQueryName(domain, reserved),
  };
  return { ...question, error: invalidReason({ domain, region }, question, resolvers.length) };
}

function invalidReason(
  { domain, region }: { readonly domain: string; readonly region: string },
  question: Omit<GlobalQuestion, 'error'>,
  resolverCount: number,
): string | undefined {
  if (domain === '') return 'missing domain: expected ?domain=example.com';
  if (question.name === undefined) return 'invalid domain: expected a name in the public DNS';
  if (question.resolver === undefined) return `invalid provider: expected 0-${resolverCount - 1}`;
  if (region !== '' && question.vantagePoint === undefined)
    return 'invalid region: expected a code listed by /dns_global/api/regions';
  return undefined;
}

/** Accepts underscore labels such as `_dmarc` (RFC 8552) in front of a valid host name. */
function parseQueryName(text: string, reserved: ReservedSpace): string | undefined {
  const [, labels = '', host = ''] = /^((?:_[a-z0-9-]{1,62}\.){0,8})(.*)$/is.exec(text) ?? [];
  const name = publicName(host, reserved);
  if (name === undefined) return undefined;
  return labels.length + name.length > MAX_NAME ? undefined : labels.toLowerCase() + name;
}

/** Length limit of a name in text form without the trailing dot (RFC 1035 §2.3.4). */
const MAX_NAME = 253;

/** Returns A for unknown types (decision 30) and for query-only types such as AXFR, ANY and OPT. */
function parseType(text = ''): string {
  const type = text.toUpperCase();
  const number = typeNumberOf(type);
  const isData = number !== undefined && number !== 0 && number !== OPT && (number < 128 || number > 255);
  return isData ? type : 'A';
}

/** EDNS pseudo-record (RFC 6891 §6.1.1). Types 128 to 255 are query and meta types (RFC 6895 §3.1). */
const OPT = 41;
