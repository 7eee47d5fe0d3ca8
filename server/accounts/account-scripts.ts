/**
 * Sets the plan of an account and makes the running month's credits follow: what is left changes by the difference,
 * and is not below 0. KEYS: account, credits of the month. ARGV: plan, then `plan credits` of every plan. Replies 1,
 * or 0 when there is no such account.
 */
export const SET_PLAN_SCRIPT = `
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
 * Adds credits to the running month. KEYS: account, credits of the month. ARGV: credits, then as above. Replies what
 * is left, or -1 when there is no such account.
 */
export const ADD_CREDITS_SCRIPT = `
local plan = redis.call('HGET', KEYS[1], 'plan')
if not plan then return -1 end
local perMonth = {}
for i = 2, #ARGV, 2 do perMonth[ARGV[i]] = tonumber(ARGV[i + 1]) end
local left = math.max(0, tonumber(redis.call('GET', KEYS[2]) or perMonth[plan]) + tonumber(ARGV[1]))
redis.call('SET', KEYS[2], left, 'EX', 5356800)
return left
`;

/** Puts a new key in place of an old one. KEYS: all keys; ARGV: old hash, new hash, record. Replies 1, or 0 without it. */
export const ROTATE_KEY_SCRIPT = `
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
return 1
`;
