import { z } from 'zod';
import { PLAN_IDS, PLANS } from '../metering/plans.js';
import { accountSubjectId, shardPrefix } from '../metering/redis-keys.js';
import type { Account } from './account.js';
import { AccountError } from './account-error.js';

/** Number of the last account. */
export const LAST_ACCOUNT_KEY = 'ipatlas:accounts:last';
/** Hash of account numbers by e-mail address. */
export const EMAILS_KEY = 'ipatlas:accounts:emails';
/** Hash of KeyRecords, as JSON, by the hash of the key. */
export const KEYS_KEY = 'ipatlas:keys';
/** Where changes of accounts and keys are told, to those who remember them. */
export const CHANGES_CHANNEL = 'ipatlas:accounts:changes';

/** A hash: an account without its number. */
export function accountKey(id: number): string {
  const subject = accountSubjectId(id);
  return `${shardPrefix(subject)}${subject}`;
}

export const KEY_RECORD = z.object({ account: z.number().int(), prefix: z.string(), created: z.string() });
export type KeyRecord = z.infer<typeof KEY_RECORD>;

const ACCOUNT_RECORD = z.object({
  email: z.string(),
  nickname: z.string(),
  plan: z.enum(PLAN_IDS),
  created: z.string(),
});

/** The account in a hash, absent when the hash is. Throws ZodError for one that is damaged. */
export function accountOf(id: number, record: Readonly<Record<string, string>>): Account | undefined {
  return record['email'] === undefined ? undefined : { id, ...ACCOUNT_RECORD.parse(record) };
}

/** Every plan with its credits of a month, as scripts take them. */
export const CREDITS_BY_PLAN: readonly string[] = PLAN_IDS.flatMap((plan) => [
  plan,
  String(PLANS[plan].creditsPerMonth),
]);

/** Trimmed and in lower case. Throws AccountError for what cannot be one: an @ with something on both sides. */
export function parseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new AccountError(`"${text}" is no e-mail address`);
  return email;
}
