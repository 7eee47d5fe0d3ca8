import type { DnsRecord } from './dns-client.js';
import { typeNameOf, typeNumberOf } from './record-types.js';
import { readRecordText } from './record-text.js';
import type { WireReader } from './wire-reader.js';

/** A resource record of a message (RFC 1035 §3.2.1). */
export interface Row {
  /** In the form of `WireReader.name`. */
  readonly name: string;
  readonly type: number;
  /** 1 is IN. In OPT this field is the UDP payload size. */
  readonly recordClass: number;
  readonly ttl: number;
  /** Covers exactly the record's data. */
  readonly rdata: WireReader;
}

/**
 * Selects the answer to a question: records of its name and type, then those of its CNAME chain in order, without
 * duplicates. Throws UpstreamError('malformed').
 */
export function chainOf(
  question: { readonly name: string; readonly type: string },
  rows: readonly Row[],
): DnsRecord[] {
  const wanted = typeNumberOf(question.type);
  const byName = groupByName(rows.filter(({ type }) => type === wanted || type === CNAME));
  const names = new Set([question.name]);
  const records = new Map<string, DnsRecord>();
  for (const name of names) {
    for (const row of byName.get(name) ?? []) {
      if (row.recordClass !== IN) continue;
      const record = toRecord(row);
      const key = identityOf(record);
      if (!records.has(key)) records.set(key, record);
      // A CNAME query does not follow the chain. A name already in the set ends a loop.
      if (row.type === CNAME && wanted !== CNAME) names.add(record.value);
    }
  }
  return [...records.values()];
}

/** Returns the lesser of TTL and minimum of the first SOA whose zone contains one of the names. */
export function negativeTtlOf(names: readonly string[], authorities: readonly Row[]): number | undefined {
  const row = authorities.find(
    ({ name, type, recordClass }) =>
      type === SOA && recordClass === IN && names.some((asked) => isWithin(asked, name)),
  );
  if (row === undefined) return undefined;
  const { ttl, minimum_ttl: minimum = 0 } = toRecord(row);
  return Math.min(ttl, minimum);
}

/** Returns a key that is equal for records that differ only in TTL. */
export function identityOf({ type, name, value, priority }: DnsRecord): string {
  return JSON.stringify([type, name, value, priority]);
}

const IN = 1;
const CNAME = 5;
const SOA = 6;

function groupByName(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.name);
    if (group) group.push(row);
    else groups.set(row.name, [row]);
  }
  return groups;
}

function toRecord({ name, type, ttl, rdata }: Row): DnsRecord {
  const typeName = typeNameOf(type);
  // RFC 2181 §8: a TTL with the highest bit set is 0.
  return { type: typeName, name, ttl: ttl > 0x7fffffff ? 0 : ttl, ...readRecordText(typeName, rdata) };
}

function isWithin(name: string, zone: string): boolean {
  return zone === '.' || name === zone || name.endsWith(`.${zone}`);
}
