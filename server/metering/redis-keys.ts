import type { CalendarMoment } from './calendar.js';
import type { Subject } from './meter.js';

/**
 * Hash tags: all keys of one subject have one, so that they stay together should the keys be divided among servers. As
 * it is they need one server and not a Redis Cluster: AdmissionBatch sends operations of many tags in one script.
 */
export const SHARDS = 64;

/** What the keys of a subject begin with: `ipatlas:{s17}`. */
export function shardPrefix(subjectId: string): string {
  return prefixOfShard(shardOf(subjectId));
}

/** The same by number, 0..63. */
export function prefixOfShard(shard: number): string {
  return `ipatlas:{s${shard}}`;
}

/** A subject's id of an account. */
export function accountSubjectId(accountId: number): string {
  return `account:${accountId}`;
}

/** Count of the minute. */
export function minuteKey(subject: Subject): string {
  return minuteKeyIn(shardPrefix(subject.id), subject);
}

/** The same, and behind it what a price is taken from. */
export function chargeKeys(subject: Subject, moment: CalendarMoment): string[] {
  const prefix = shardPrefix(subject.id);
  return [minuteKeyIn(prefix, subject), ...priceKeysIn(prefix, subject, moment)];
}

/** What a price is taken from, in the order the scripts take them: day, then of accounts credits and usage. */
export function priceKeys(subject: Subject, moment: CalendarMoment): string[] {
  return priceKeysIn(shardPrefix(subject.id), subject, moment);
}

/** Credits left in a month. */
export function creditsKey(accountId: number, month: string): string {
  const id = accountSubjectId(accountId);
  return creditsKeyIn(shardPrefix(id), id, month);
}

/** Successful calls of an account, a hash by `YYYYMMDD`. */
export function usageKey(accountId: number): string {
  const id = accountSubjectId(accountId);
  return `${shardPrefix(id)}u:${id}`;
}

/** Holds of a shard by id, and their deadlines. */
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

/** FNV-1a over UTF-16 units. */
function shardOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  // The low bits alone would follow the last digit.
  return (hash ^ (hash >>> 15)) & (SHARDS - 1);
}
