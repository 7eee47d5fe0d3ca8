import { WIDER } from '../plans.js';
import type { Scripts } from '../redis-connection.js';
import { COUNT_USAGE } from './count-usage.js';
import { REPEATED_OPERATIONS } from './repeated-operations.js';

/**
 * Runs a batch of operations on meters in order; each is atomic. ARGV[1] is a deadline in ms on Redis's clock. After it
 * the script does nothing and returns an empty list, because the callers have given up. Otherwise it returns one
 * integer per operation: ((requests of the minute * 2^16 + ms left of the minute) * 4 + level) * 4 + result, -1 for a
 * failed operation, and -2 for one that Redis refused for lack of memory, which has done nothing. Results: 0 done, 1
 * minute used up (for `settle`: no such hold), 2 day used up, 3 not enough credits.
 *
 *   operation  keys                          arguments after its letter
 *   p peek     minute                        -
 *   n count    minute                        per minute
 *   c charge   minute day [credits usage]    per minute, per day (0: unlimited), per month (-1: none), cost, date
 *   r reserve  the same, holds deadlines     the same, id, hold, ms until its deadline
 *   u use      the same as c, without counting the minute
 *   t take     the same as r, without counting the minute
 *   s settle   holds deadlines day [cr. us.] per month (-1: none), cost, date, id, succeeded (1 or 0)
 *
 * `*` and a number before an operation repeat it, with a reply each time.
 *
 * A capital letter is the same operation for an IPv6 source: the keys of the two networks around it follow each minute
 * and each day, and `P` has the limit per minute as an argument. A request counts in a network once the narrower ones
 * have admitted it. Level is the window in the reply, 0 that of the source: the one that refuses, else the one with the
 * fewest requests left.
 */
const ADMISSION_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now > tonumber(ARGV[1]) then return {} end
local k, a = 0, 1
local function key() k = k + 1 return KEYS[k] end
local function arg() a = a + 1 return ARGV[a] end
local MINUTE, DAY, CREDITS = 60000, 93600, 5356800
local TIMES = {${WIDER.map(({ times }) => times).join(', ')}}
local isWide = false
local function twoKeys() return isWide and {key(), key()} or nil end

local function count(minute)
  local n = redis.call('INCR', minute)
  local ms = n == 1 and -1 or redis.call('PTTL', minute)
  if ms < 0 then
    redis.call('PEXPIRE', minute, MINUTE)
    ms = MINUTE
  end
  return n, ms
end

local function look(minute)
  return tonumber(redis.call('GET', minute) or 0), math.max(redis.call('PTTL', minute), 0)
end

local function window(read, minute, limit, wider)
  local n, ms = read(minute)
  if not wider then return n, ms, n > limit and 1 or 0, 0 end
  local left, level = limit - n, 0
  for i = 1, 2 do
    if left < 0 then break end
    local requests, rest = read(wider[i])
    local spare = limit * TIMES[i] - requests
    if spare < left then n, ms, left, level = requests, rest, spare, i end
  end
  return n, ms, left < 0 and 1 or 0, level
end

${COUNT_USAGE}

local function terms()
  local t = {}
  t.perMonth = tonumber(arg())
  t.cost = tonumber(arg())
  t.date = arg()
  t.day = key()
  t.wider = twoKeys()
  if t.perMonth >= 0 then
    t.credits = key()
    t.usage = key()
  end
  return t
end

local function isUsed(day, perDay)
  return perDay > 0 and tonumber(redis.call('GET', day) or 0) >= perDay
end
local function countDay(day, times)
  if redis.call('INCRBY', day, times) == times then redis.call('EXPIRE', day, DAY) end
end
local function refundDay(day)
  if tonumber(redis.call('GET', day) or 0) > 0 then redis.call('DECR', day) end
end

local function creditsLeft(t)
  local left = tonumber(redis.call('GET', t.credits) or -1)
  if left >= 0 then return left end
  redis.call('SET', t.credits, t.perMonth, 'EX', CREDITS)
  return t.perMonth
end

local function take(t, perDay)
  if isUsed(t.day, perDay) then return 2 end
  if t.wider then
    for i = 1, 2 do
      if isUsed(t.wider[i], perDay * TIMES[i]) then return 2 end
    end
  end
  if t.credits then
    if creditsLeft(t) < t.cost then return 3 end
    redis.call('DECRBY', t.credits, t.cost)
  end
  countDay(t.day, 1)
  if t.wider then
    for i = 1, 2 do countDay(t.wider[i], 1) end
  end
  return 0
end

local operations = {}
function operations.p(minute)
  local limit = isWide and tonumber(arg()) or 0
  local n, ms, _, level = window(look, minute, limit, twoKeys())
  return n, ms, 0, level
end
function operations.n(minute)
  return window(count, minute, tonumber(arg()), twoKeys())
end
local function charge(minute, read)
  local limit, perDay, wider = tonumber(arg()), tonumber(arg()), twoKeys()
  local t = terms()
  local n, ms, result, level = window(read, minute, limit, wider)
  if read == count and result == 1 then return n, ms, 1, level end
  result = take(t, perDay)
  if result == 0 and t.usage then countUsage(t.usage, t.date, 1) end
  return n, ms, result, level
end
function operations.c(minute) return charge(minute, count) end
function operations.u(minute) return charge(minute, look) end
local function reserve(minute, read)
  local limit, perDay, wider = tonumber(arg()), tonumber(arg()), twoKeys()
  local t = terms()
  local holds, deadlines, id, hold, patience = key(), key(), arg(), arg(), tonumber(arg())
  local n, ms, result, level = window(read, minute, limit, wider)
  if read == count and result == 1 then return n, ms, 1, level end
  result = take(t, perDay)
  if result == 0 then
    redis.call('HSET', holds, id, hold)
    redis.call('ZADD', deadlines, now + patience, id)
  end
  return n, ms, result, level
end
function operations.r(minute) return reserve(minute, count) end
function operations.t(minute) return reserve(minute, look) end
function operations.s(holds)
  local deadlines = key()
  local t = terms()
  local id, succeeded = arg(), arg()
  redis.call('ZREM', deadlines, id)
  if redis.call('HDEL', holds, id) == 0 then return 0, 0, 1, 0 end
  if succeeded == '1' then
    if t.usage then countUsage(t.usage, t.date, 1) end
    return 0, 0, 0, 0
  end
  refundDay(t.day)
  if t.wider then
    for i = 1, 2 do refundDay(t.wider[i]) end
  end
  if t.credits and redis.call('EXISTS', t.credits) == 1 then redis.call('INCRBY', t.credits, t.cost) end
  return 0, 0, 0, 0
end

${REPEATED_OPERATIONS}
local WIDTH = {
  p = {1, 0}, n = {1, 1}, c = {2, 5}, u = {2, 5}, r = {4, 8}, t = {4, 8}, s = {3, 5},
  P = {3, 1}, N = {3, 1}, C = {6, 5}, U = {6, 5}, R = {8, 8}, T = {8, 8}, S = {5, 5},
}
for _, letter in ipairs({'p', 'n', 'c', 'u', 'r', 't', 's'}) do
  operations[letter:upper()] = operations[letter]
end
local function failure(message)
  message = type(message) == 'table' and message.err or tostring(message)
  return message:find('OOM', 1, true) and -2 or -1
end
local replies = {}
local function reply(n, ms, level, result)
  replies[#replies + 1] = ((n * 65536 + ms) * 4 + level) * 4 + result
end
local function runOnce(operation)
  local ok, n, ms, result, level = pcall(operation, key())
  if ok then reply(n, ms, level, result) else replies[#replies + 1] = failure(n) end
end
local function runTimes(operation, times)
  local ok, before, step, ms, open, taken, refusal = pcall(operation, key(), times)
  for i = 1, times do
    if not ok then replies[#replies + 1] = failure(before)
    else reply(before + i * step, ms, 0, i > open and 1 or i > taken and refusal or 0) end
  end
end
while a < #ARGV do
  local letter, times = arg(), 1
  if letter == '*' then times, letter = tonumber(arg()), arg() end
  local width = WIDTH[letter]
  isWide = letter:byte() < 97
  local isPriced = not isWide and letter ~= 'p' and letter ~= 'n'
  local perMonth = isPriced and tonumber(ARGV[a + (letter == 's' and 1 or 3)]) or -1
  local firstKey, firstArg = k, a
  if times > 1 and repeated[letter] then
    runTimes(repeated[letter], times)
  else
    for _ = 1, times do
      k, a = firstKey, firstArg
      runOnce(operations[letter])
    end
  end
  k, a = firstKey + width[1] + (perMonth >= 0 and 2 or 0), firstArg + width[2]
end
return replies
`;

/** ADMISSION_SCRIPT as a command of a connection. */
export interface AdmissionCommands {
  admit(keyCount: number, keys: readonly string[], args: readonly string[]): Promise<number[]>;
}

/** The script of AdmissionCommands. */
export const ADMISSION_SCRIPTS: Scripts<AdmissionCommands> = { admit: { lua: ADMISSION_SCRIPT } };
