import type { CalendarMoment } from './calendar.js';
import type { Subject } from './subject.js';

/**
 * The number of hash tags. All keys of a subject share one tag, so they could be divided among servers. Redis Cluster
 * is not supported: AdmissionBatch sends operations with many tags in one script.
 */
export const SHARDS = 64;

/** Returns the prefix of a subject's keys: `ipatlas:{s17}`. */
export function shardPrefix(subjectId: string): string {
  return prefixOfShard(shardOf(subjectId));
}

/** Returns the key prefix of a shard, 0..63. */
export function prefixOfShard(shard: number): string {
  return `ipatlas:{s${shard}}`;
}

/** Returns the subject id of an account. */
export function accountSubjectId(accountId: number): string {
  return `account:${accountId}`;
}

/** Returns the key of the minute's request count. */
export function minuteKey(subject: Subject): string {
  return minuteKeyIn(shardPrefix(subject.id), subject);
}

/** Returns `minuteKey` followed by `priceKeys`. */
export function chargeKeys(subject: Subject, moment: CalendarMoment): string[] {
  const prefix = shardPrefix(subject.id);
  return [minuteKeyIn(prefix, subject), ...priceKeysIn(prefix, subject, moment)];
}

/** Returns the keys that a price is charged to, in the scripts' order: day, and for accounts credits and usage. */
export function priceKeys(subject: Subject, moment: CalendarMoment): string[] {
  return priceKeysIn(shardPrefix(subject.id), subject, moment);
}

/** Returns the key of an account's hash. */
export function accountKey(accountId: number): string {
  const id = accountSubjectId(accountId);
  return `${shardPrefix(id)}${id}`;
}

/** Returns the key of the credits left in a month. */
export function creditsKey(accountId: number, month: string): string {
  const id = accountSubjectId(accountId);
  return creditsKeyIn(shardPrefix(id), id, month);
}

/** Returns the key of an account's successful calls: a hash by `YYYYMMDD`. */
export function usageKey(accountId: number): string {
  const id = accountSubjectId(accountId);
  return `${shardPrefix(id)}u:${id}`;
}

/** Returns the keys of a shard's holds: a hash by id, and a sorted set of their deadlines. */
export function holdKeys(shardPrefix: string): [string, string] {
  return [`${shardPrefix}holds`, `${shardPrefix}deadlines`];
}

function minuteKeyIn(prefix: string, { bucket, id }: Subject): string {
  return `${prefix}m:${bucket}:${id}`;
}

function priceKeysIn(prefix: string, subject: Subject, { day, month }: CalendarMoment): string[] {
  const { id, bucket } = subject;
  const dayKey = `${prefix}d:${bucket}:${id}:${day}`;
  if (subject.creditsPerMonth === undefined) return [dayKey];
  return [dayKey, creditsKeyIn(prefix, id, month), `${prefix}u:${id}`];
}

function creditsKeyIn(prefix: string, id: string, month: string): string {
  return `${prefix}c:${id}:${month}`;
}

/** Returns FNV-1a over UTF-16 units, reduced to a shard. */
function shardOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  // The low bits alone depend mostly on the last digit.
  return (hash ^ (hash >>> 15)) & (SHARDS - 1);
}
