import type { DohResolver } from '../config.js';
import type { DnsRecord } from '../dns/dns-client.js';
import type { IpRecords } from '../lookup/ip-record.js';
import type { Language } from '../../pipeline/record/language.js';
import type { Snapshot } from '../release/snapshot.js';
import { parseTargetAddress } from '../targets/target.js';
import type { UpstreamError, UpstreamReason } from '../upstream-error.js';
import type { GlobalAnswer, GlobalRecord } from './global-answer-schema.js';
import type { GlobalReply } from './global-dns.js';
import type { GlobalQuestion } from './global-question.js';

/** What describes the addresses of an answer. */
export interface AnswerContext {
  readonly records: IpRecords;
  readonly snapshot: Snapshot;
  readonly language: Language;
}

/** The result of a query. `timeMs` is how long it took. */
export type Outcome =
  | { readonly kind: 'reply'; readonly reply: GlobalReply; readonly timeMs: number }
  | { readonly kind: 'failed'; readonly cause: UpstreamError; readonly timeMs: number }
  /** The question is invalid. No query was sent. */
  | { readonly kind: 'refused'; readonly error: string };

/** Builds the response body, for failures too. It has no envelope (decision 30). */
export function globalAnswer(
  question: GlobalQuestion,
  outcome: Outcome,
  context: AnswerContext,
): GlobalAnswer {
  const empty = emptyAnswer(question, context.language);
  if (outcome.kind === 'refused') return { ...empty, error: outcome.error };
  const sent = { ...empty, time_ms: outcome.timeMs, edns_client_subnet: empty.subnet };
  if (outcome.kind === 'failed') return { ...sent, error: describeFailure(outcome.cause, question.resolver) };
  const { reply } = outcome;
  return {
    ...sent,
    records: reply.records.map((record) => globalRecord(record, context)),
    rcode: reply.rcode,
    source: reply.source,
    ...(reply.source === 'worker' ? reply.place : {}),
    // Any other rcode means the resolver has no answer.
    ...(reply.rcode === 'NOERROR' || reply.rcode === 'NXDOMAIN'
      ? {}
      : { error: `the resolver returned ${reply.rcode}` }),
  };
}

function emptyAnswer(
  { resolver, vantagePoint, vantagePointCode }: GlobalQuestion,
  language: Language,
): GlobalAnswer {
  return {
    records: [],
    rcode: '',
    time_ms: 0,
    resolver: resolver?.name ?? '',
    edns_client_subnet: '',
    source: 'doh',
    region: vantagePointCode ?? null,
    regionLabel: vantagePoint?.label[language] ?? '',
    subnet: vantagePoint?.subnet ?? '',
  };
}

/** Formats a record as in a zone file (RFC 1035 §5.1): `value` includes the fields `/api/dns` lists separately. */
function globalRecord(record: DnsRecord, context: AnswerContext): GlobalRecord {
  const { name, type, ttl, priority, serial, refresh, retry, expire, minimum_ttl } = record;
  const parts = [priority, record.value, serial, refresh, retry, expire, minimum_ttl];
  const value = parts.filter((part) => part !== undefined).join(' ');
  const plain = { name, type, ttl, value };
  return type === 'A' || type === 'AAAA' ? { ...plain, type, ...addressFields(value, context) } : plain;
}

type AddressFields = Pick<Extract<GlobalRecord, { geo: string }>, 'geo' | 'isp' | 'asn' | 'org'>;

/**
 * Returns what the release knows about an address. `isp` is a field of its own, so `geo` omits it, unlike `location`.
 */
function addressFields(ip: string, { records, snapshot, language }: AnswerContext): AddressFields {
  const address = parseTargetAddress(ip);
  if (address === undefined) return { geo: '', isp: '', asn: null, org: '' };
  const { country, region, city, isp, asn, org } = records.flatRecordOf(address, snapshot, language);
  const parts = new Set([country, region, city].filter((part) => part !== ''));
  return { geo: [...parts].join(' '), isp, asn, org };
}

function describeFailure({ reason }: UpstreamError, resolver: DohResolver | undefined): string {
  return `${resolver?.name ?? 'the resolver'} ${FAILURES[reason]}`;
}

const FAILURES: Readonly<Record<UpstreamReason, string>> = {
  timeout: 'did not answer in time',
  unreachable: 'cannot be reached',
  'not-public': 'cannot be reached',
  'rate-limited': 'rate-limited this server',
  failed: 'returned an error',
  malformed: 'returned an invalid answer',
};
