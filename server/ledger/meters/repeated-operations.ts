/**
 * Lua functions of ADMISSION_SCRIPT for repeated equal operations of a source without wider networks. Each function does
 * what the single operations would do in order: the first ones are admitted until a limit is reached; the others get the
 * result of that limit. When a command fails, all of them fail. It returns six numbers: the requests of the minute
 * before, the increase per operation, the ms left, the number that the minute admits, the number admitted, and the
 * result of the others.
 */
export const REPEATED_OPERATIONS = `
local function countTimes(minute, times)
  local n = redis.call('INCRBY', minute, times)
  local ms = n == times and -1 or redis.call('PTTL', minute)
  if ms < 0 then
    redis.call('PEXPIRE', minute, MINUTE)
    ms = MINUTE
  end
  return n - times, ms
end

local function takeTimes(t, perDay, times)
  local days, paid = times, times
  if perDay > 0 then days = math.max(perDay - tonumber(redis.call('GET', t.day) or 0), 0) end
  if t.credits and days > 0 and times > 0 then
    local left = creditsLeft(t)
    if t.cost > 0 then paid = math.floor(left / t.cost) end
  end
  local taken = math.min(times, days, paid)
  if taken > 0 then
    if t.credits then redis.call('DECRBY', t.credits, taken * t.cost) end
    countDay(t.day, taken)
    if t.usage then countUsage(t.usage, t.date, taken) end
  end
  return taken, days <= paid and 2 or 3
end

local repeated = {}
function repeated.n(minute, times)
  local limit = tonumber(arg())
  local before, ms = countTimes(minute, times)
  local open = math.max(0, math.min(times, limit - before))
  return before, 1, ms, open, open, 0
end
function repeated.c(minute, times)
  local limit, perDay = tonumber(arg()), tonumber(arg())
  local t = terms()
  local before, ms = countTimes(minute, times)
  local open = math.max(0, math.min(times, limit - before))
  return before, 1, ms, open, takeTimes(t, perDay, open)
end
function repeated.u(minute, times)
  local _, perDay = arg(), tonumber(arg())
  local t = terms()
  local n, ms = look(minute)
  return n, 0, ms, times, takeTimes(t, perDay, times)
end
`;
