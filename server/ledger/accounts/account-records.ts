import { z } from 'zod';
import { PLAN_IDS, PLANS } from '../plans.js';
import { accountKey } from '../redis-keys.js';
import { AccountError, type Account } from './account.js';

/** Redis key of the highest account number. */
export const LAST_ACCOUNT_KEY = 'ipatlas:accounts:last';
/** Redis hash from e-mail address to account number. */
export const EMAILS_KEY = 'ipatlas:accounts:emails';
/** Redis hash from the SHA-256 of an API key to its KeyRecord, as JSON. */
export const KEYS_KEY = 'ipatlas:keys';
/** Pub/sub channel for changes of accounts and keys. Every process clears its cache on a message. */
export const CHANGES_CHANNEL = 'ipatlas:accounts:changes';

/**
 * Redis hash from the SHA-256 of an API key to the minute it was last presented, in Unix seconds. Its tag puts it in the
 * slot of KEYS_KEY in a cluster.
 */
export const USED_KEY = `{${KEYS_KEY}}:used`;

const KEY_RECORD = z.object({
  account: z.number().int(),
  prefix: z.string(),
  created: z.string(),
  expires: z.string().optional(),
  networks: z.array(z.string()).readonly().optional(),
});
/** A stored API key. */
export type KeyRecord = z.infer<typeof KEY_RECORD>;

/** Parses a stored API key. Throws SyntaxError or ZodError when the record is damaged. */
export function parseKeyRecord(json: string): KeyRecord {
  return KEY_RECORD.parse(JSON.parse(json));
}

/** The hash under `accountKey`: an account without its number. */
const ACCOUNT_RECORD = z.object({
  email: z.string(),
  nickname: z.string(),
  plan: z.enum(PLAN_IDS),
  created: z.string(),
});

/** The Redis command that `readAccount` sends. */
interface HashReader {
  hgetall(key: string): Promise<Record<string, string>>;
}

/** Reads an account; undefined when it does not exist. Throws ZodError when the record is damaged. */
export async function readAccount(redis: HashReader, id: number): Promise<Account | undefined> {
  const record = await redis.hgetall(accountKey(id));
  return record['email'] === undefined ? undefined : { id, ...ACCOUNT_RECORD.parse(record) };
}

/** Plans with their monthly credits, as arguments of the account scripts: `plan credits plan credits …`. */
export const CREDITS_BY_PLAN: readonly string[] = PLAN_IDS.flatMap((plan) => [
  plan,
  String(PLANS[plan].creditsPerMonth),
]);

/** Trims an e-mail address and converts it to lower case. Throws AccountError unless text surrounds an `@`. */
export function parseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new AccountError(`invalid e-mail address "${text}": expected user@domain, at most 254 characters`);
  return email;
}
