import { COUNT_USAGE } from './admission-script.js';

/**
 * Takes one of the hour and one of the day and counts it in usage, or nothing. KEYS: hour, day, usage; ARGV: per hour,
 * per day, `YYYYMMDD`. Replies whether it did (1 or 0), and how many are used of the hour and of the day.
 */
export const TAKE_DOWNLOAD_SCRIPT = `
${COUNT_USAGE}
local hour = tonumber(redis.call('GET', KEYS[1]) or 0)
local day = tonumber(redis.call('GET', KEYS[2]) or 0)
if hour >= tonumber(ARGV[1]) or day >= tonumber(ARGV[2]) then return {0, hour, day} end
redis.call('SET', KEYS[1], hour + 1, 'EX', 7200)
redis.call('SET', KEYS[2], day + 1, 'EX', 93600)
countUsage(KEYS[3], ARGV[3])
return {1, hour + 1, day + 1}
`;

/** Gives back one of each, where there is one. KEYS: hour, day, usage; ARGV: `YYYYMMDD`. */
export const GIVE_BACK_DOWNLOAD_SCRIPT = `
for i = 1, 2 do
  if tonumber(redis.call('GET', KEYS[i]) or 0) > 0 then redis.call('DECR', KEYS[i]) end
end
if tonumber(redis.call('HGET', KEYS[3], ARGV[1]) or 0) > 0 then redis.call('HINCRBY', KEYS[3], ARGV[1], -1) end
`;
