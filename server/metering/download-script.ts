/**
 * Takes one of the hour and one of the day, or neither. KEYS: hour, day; ARGV: per hour, per day. Replies whether it
 * did (1 or 0), and how many are used of the hour and of the day.
 */
export const TAKE_DOWNLOAD_SCRIPT = `
local hour = tonumber(redis.call('GET', KEYS[1]) or 0)
local day = tonumber(redis.call('GET', KEYS[2]) or 0)
if hour >= tonumber(ARGV[1]) or day >= tonumber(ARGV[2]) then return {0, hour, day} end
redis.call('SET', KEYS[1], hour + 1, 'EX', 7200)
redis.call('SET', KEYS[2], day + 1, 'EX', 93600)
return {1, hour + 1, day + 1}
`;

/** Gives back one of each, where there is one. KEYS: hour, day. */
export const GIVE_BACK_DOWNLOAD_SCRIPT = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or 0) > 0 then redis.call('DECR', key) end
end
`;
