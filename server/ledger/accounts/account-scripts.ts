import type { Scripts } from '../redis-connection.js';

/**
 * Sets the plan of an account. The credits left this month change by the difference between the plans, to 0 at least.
 * KEYS: account, credits of the month. ARGV: plan, then `plan credits` of every plan. Returns 1, or 0 when the account
 * does not exist.
 */
const SET_PLAN = `
local old = redis.call('HGET', KEYS[1], 'plan')
if not old then return 0 end
local perMonth = {}
for i = 2, #ARGV, 2 do perMonth[ARGV[i]] = tonumber(ARGV[i + 1]) end
local left = tonumber(redis.call('GET', KEYS[2]) or perMonth[old])
left = math.max(0, left + perMonth[ARGV[1]] - perMonth[old])
redis.call('HSET', KEYS[1], 'plan', ARGV[1])
redis.call('SET', KEYS[2], left, 'EX', 5356800)
return 1
`;

/**
 * Adds credits to the current month. KEYS: account, credits of the month. ARGV: credits, then `plan credits` of every
 * plan. Returns the credits left, or -1 when the account does not exist.
 */
const ADD_CREDITS = `
local plan = redis.call('HGET', KEYS[1], 'plan')
if not plan then return -1 end
local perMonth = {}
for i = 2, #ARGV, 2 do perMonth[ARGV[i]] = tonumber(ARGV[i + 1]) end
local left = math.max(0, tonumber(redis.call('GET', KEYS[2]) or perMonth[plan]) + tonumber(ARGV[1]))
redis.call('SET', KEYS[2], left, 'EX', 5356800)
return left
`;

/**
 * Replaces an API key. KEYS: all keys, their last uses. ARGV: old hash, new hash, new record. Returns 1, or 0 when the
 * old is unknown.
 */
const ROTATE_KEY = `
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
return 1
`;

/**
 * Returns the record of an API key, and notes that it was presented. KEYS: all keys, their last uses. ARGV: hash, Unix
 * seconds. A Redis without memory still returns the record.
 */
const LOOK_UP_KEY = `
local record = redis.call('HGET', KEYS[1], ARGV[1])
if record then redis.pcall('HSET', KEYS[2], ARGV[1], ARGV[2]) end
return record
`;

/** LOOK_UP_KEY as a command of a connection. */
export interface LookUpCommands {
  lookUpKey(keysKey: string, usedKey: string, hash: string, seconds: number): Promise<string | null>;
}

/** The script of LookUpCommands. */
export const LOOK_UP_SCRIPTS: Scripts<LookUpCommands> = { lookUpKey: { lua: LOOK_UP_KEY, numberOfKeys: 2 } };

/** The other scripts as commands of a connection. */
export interface AccountCommands {
  setPlan(accountKey: string, creditsKey: string, plan: string, byPlan: readonly string[]): Promise<0 | 1>;
  addCredits(
    accountKey: string,
    creditsKey: string,
    credits: number,
    byPlan: readonly string[],
  ): Promise<number>;
  rotateKey(
    keysKey: string,
    usedKey: string,
    oldHash: string,
    newHash: string,
    record: string,
  ): Promise<0 | 1>;
}

/** The scripts of AccountCommands. */
export const ACCOUNT_SCRIPTS: Scripts<AccountCommands> = {
  setPlan: { lua: SET_PLAN, numberOfKeys: 2 },
  addCredits: { lua: ADD_CREDITS, numberOfKeys: 2 },
  rotateKey: { lua: ROTATE_KEY, numberOfKeys: 2 },
};
