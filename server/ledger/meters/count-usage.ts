/** A Lua function: counts calls of a day in an account's usage, and deletes all but the last 32 days. */
export const COUNT_USAGE = `local function countUsage(usage, date, times)
  if redis.call('HINCRBY', usage, date, times) ~= times then return end
  redis.call('EXPIRE', usage, 3456000)
  if redis.call('HLEN', usage) <= 40 then return end
  local dates = redis.call('HKEYS', usage)
  table.sort(dates)
  for i = 1, #dates - 32 do redis.call('HDEL', usage, dates[i]) end
end`;
