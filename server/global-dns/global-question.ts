import { REGIONS, type Region } from '../../pipeline/regions/regions.js';
import type { DohResolver } from '../config.js';
import { typeNumberOf } from '../dns/record-types.js';
import { publicName } from '../targets/public-name.js';
import type { ReservedSpace } from '../targets/reserved-space.js';

/** What a caller wrote; what is missing is `undefined` or empty. */
export interface GlobalQuery {
  readonly domain: string | undefined;
  readonly type: string | undefined;
  readonly provider: string | undefined;
  readonly region: string | undefined;
}

/** The same as far as it makes sense. */
export interface GlobalQuestion {
  readonly type: string;
  /** What the caller named as region, when it is a number. */
  readonly regionCode: number | undefined;
  readonly region: Region | undefined;
  readonly resolver: DohResolver | undefined;
  readonly name: string | undefined;
  /** Why it cannot be asked. */
  readonly error: string | undefined;
}

/** What a question may be about and go to. */
export interface GlobalScope {
  readonly resolvers: readonly DohResolver[];
  readonly reserved: ReservedSpace;
}

/** Reads a query; what makes no sense is told by `error`. */
export function parseGlobalQuestion(
  query: GlobalQuery,
  { resolvers, reserved }: GlobalScope,
): GlobalQuestion {
  const { domain = '', region = '', provider = '' } = query;
  const regionCode = /^\d{1,9}$/.test(region) ? Number(region) : undefined;
  const question = {
    type: parseType(query.type),
    regionCode,
    region: REGIONS.find(({ code }) => code === regionCode),
    resolver: /^\d{0,2}$/.test(provider) ? resolvers[Number(provider)] : undefined,
    name: parseQueryName(domain, reserved),
  };
  return { ...question, error: whyNot({ domain, region }, question, resolvers.length) };
}

function whyNot(
  { domain, region }: { readonly domain: string; readonly region: string },
  question: Omit<GlobalQuestion, 'error'>,
  resolverCount: number,
): string | undefined {
  if (domain === '') return 'domain is missing, as in ?domain=example.com';
  if (question.name === undefined) return 'domain is no name of the public DNS';
  if (question.resolver === undefined) return `provider is not a number from 0 to ${resolverCount - 1}`;
  if (region !== '' && question.region === undefined)
    return 'region is not a code of /dns_global/api/regions';
  return undefined;
}

/** Labels such as `_dmarc`, which no host has (RFC 8552), before a name that a host could have. */
function parseQueryName(text: string, reserved: ReservedSpace): string | undefined {
  const [, labels = '', host = ''] = /^((?:_[a-z0-9-]{1,62}\.){0,8})(.*)$/is.exec(text) ?? [];
  const name = publicName(host, reserved);
  if (name === undefined) return undefined;
  return labels.length + name.length > MAX_NAME ? undefined : labels.toLowerCase() + name;
}

/** RFC 1035 §2.3.4, the text form without the root's dot. */
const MAX_NAME = 253;

/** Unknown types are A (ruling 30), as are those that are no data but mean something in a question: AXFR, ANY, OPT. */
function parseType(text = ''): string {
  const type = text.toUpperCase();
  const number = typeNumberOf(type);
  const isData = number !== undefined && number !== 0 && number !== OPT && (number < 128 || number > 255);
  return isData ? type : 'A';
}

/** Of EDNS (RFC 6891 §6.1.1); 128 to 255 are other questions and meta types (RFC 6895 §3.1). */
const OPT = 41;
