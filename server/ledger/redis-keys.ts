import type { CalendarMoment } from './calendar.js';
import type { Subject } from './subject.js';

/**
 * The number of hash tags. All keys of a subject share one tag, so the tags can be divided among the masters of a
 * cluster; the sources of an IPv6 network share its tag. The number never changes, because it is part of all names.
 */
export const SHARDS = 64;

/** Returns the prefix of a subject's keys: `ipatlas:{s17}`. */
export function shardPrefix(subjectId: string): string {
  return prefixOfShard(shardOf(subjectId));
}

/** Returns the prefix of the keys of a subject and of the networks around it. */
export function prefixOf({ id, wider }: Subject): string {
  return shardPrefix(wider === undefined ? id : wider[1]);
}

/** Returns the key prefix of a shard, 0..63. */
export function prefixOfShard(shard: number): string {
  return `ipatlas:{s${shard}}`;
}

/** Returns the subject id of an account. */
export function accountSubjectId(accountId: number): string {
  return `account:${accountId}`;
}

/** Returns the keys of the minute's request counts: of the subject, and of the networks around it. */
export function minuteKeys(subject: Subject): string[] {
  return minuteKeysIn(prefixOf(subject), subject);
}

/** Returns `minuteKeys` followed by `priceKeys`. */
export function chargeKeys(subject: Subject, moment: CalendarMoment): string[] {
  const prefix = prefixOf(subject);
  return [...minuteKeysIn(prefix, subject), ...priceKeysIn(prefix, subject, moment)];
}

/**
 * Returns the keys that a price is charged to, in the scripts' order: day, then credits and usage of an account, or the
 * days of the networks around an IPv6 source.
 */
export function priceKeys(subject: Subject, moment: CalendarMoment): string[] {
  return priceKeysIn(prefixOf(subject), subject, moment);
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

function minuteKeysIn(prefix: string, { bucket, id, wider }: Subject): string[] {
  const key = `${prefix}m:${bucket}:${id}`;
  return wider === undefined ? [key] : [key, ...wider.map((network) => `${prefix}m:${bucket}:${network}`)];
}

function priceKeysIn(prefix: string, subject: Subject, { day, month }: CalendarMoment): string[] {
  const { id, bucket, wider } = subject;
  const dayKey = `${prefix}d:${bucket}:${id}:${day}`;
  if (wider !== undefined)
    return [dayKey, ...wider.map((network) => `${prefix}d:${bucket}:${network}:${day}`)];
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
