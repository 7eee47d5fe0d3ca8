import type { DohResolver } from '../config.js';
import type { DnsRecord } from '../dns/dns-client.js';
import type { IpRecords } from '../lookup/ip-record.js';
import type { Language } from '../lookup/language.js';
import type { Snapshot } from '../release/snapshot.js';
import { parseTargetAddress } from '../targets/target.js';
import type { UpstreamError, UpstreamReason } from '../upstream-error.js';
import type { GlobalAnswer, GlobalRecord } from './global-answer-schema.js';
import type { GlobalReply } from './global-dns.js';
import type { GlobalQuestion } from './global-question.js';

/** What an answer's records are told with. */
export interface Telling {
  readonly records: IpRecords;
  readonly snapshot: Snapshot;
  readonly language: Language;
}

/** What was found, or why nothing was; `timeMs` is how long it took. */
export type Outcome =
  | { readonly kind: 'reply'; readonly reply: GlobalReply; readonly timeMs: number }
  | { readonly kind: 'failed'; readonly cause: UpstreamError; readonly timeMs: number }
  /** Nobody was asked. */
  | { readonly kind: 'refused'; readonly error: string };

/** The bare object, failures too (ruling 30). */
export function globalAnswer(question: GlobalQuestion, outcome: Outcome, telling: Telling): GlobalAnswer {
  const nothing = nothingOf(question, telling.language);
  if (outcome.kind === 'refused') return { ...nothing, error: outcome.error };
  const asked = { ...nothing, time_ms: outcome.timeMs, edns_client_subnet: nothing.subnet };
  if (outcome.kind === 'failed') return { ...asked, error: whyFailed(outcome.cause, question.resolver) };
  const { reply } = outcome;
  return {
    ...asked,
    records: reply.records.map((record) => globalRecord(record, telling)),
    rcode: reply.rcode,
    source: reply.source,
    ...(reply.source === 'worker' ? reply.place : {}),
    // NXDOMAIN is an answer; the others say that there is none.
    ...(reply.rcode === 'NOERROR' || reply.rcode === 'NXDOMAIN'
      ? {}
      : { error: `the resolver answers ${reply.rcode}` }),
  };
}

function nothingOf({ resolver, region, regionCode }: GlobalQuestion, language: Language): GlobalAnswer {
  return {
    records: [],
    rcode: '',
    time_ms: 0,
    resolver: resolver?.name ?? '',
    edns_client_subnet: '',
    source: 'doh',
    region: regionCode ?? null,
    regionLabel: region?.label[language] ?? '',
    subnet: region?.subnet ?? '',
  };
}

/** Its data as in a zone file (RFC 1035 §5.1): the fields that `/api/dns` shows beside the value stand in it. */
function globalRecord(record: DnsRecord, telling: Telling): GlobalRecord {
  const { name, type, ttl, priority, serial, refresh, retry, expire, minimum_ttl } = record;
  const parts = [priority, record.value, serial, refresh, retry, expire, minimum_ttl];
  const value = parts.filter((part) => part !== undefined).join(' ');
  const plain = { name, type, ttl, value };
  return type === 'A' || type === 'AAAA' ? { ...plain, type, ...whereabouts(value, telling) } : plain;
}

type Whereabouts = Pick<Extract<GlobalRecord, { geo: string }>, 'geo' | 'isp' | 'asn' | 'org'>;

/** What the release knows of an address. `isp` stands by itself, and so not in `geo` as it does in `location`. */
function whereabouts(ip: string, { records, snapshot, language }: Telling): Whereabouts {
  const address = parseTargetAddress(ip);
  if (address === undefined) return { geo: '', isp: '', asn: null, org: '' };
  const { country, region, city, isp, asn, org } = records.flatRecordOf(address, snapshot, language);
  const words = new Set([country, region, city].filter((word) => word !== ''));
  return { geo: [...words].join(' '), isp, asn, org };
}

function whyFailed({ reason }: UpstreamError, resolver: DohResolver | undefined): string {
  return `${resolver?.name ?? 'the resolver'} ${FAILURES[reason]}`;
}

const FAILURES: Readonly<Record<UpstreamReason, string>> = {
  timeout: 'did not answer in time',
  unreachable: 'cannot be reached',
  'not-public': 'cannot be reached',
  'rate-limited': 'takes no more questions for now',
  failed: 'could not answer',
  malformed: 'gave no valid answer',
};
