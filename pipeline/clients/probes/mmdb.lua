-- lua-mmdb: mmdb.lua <file> <paths> <address>…
local database = require 'mmdb'.open(arg[1])

local function text(record, path)
  local value = record
  for key in path:gmatch '[^.]+' do
    if type(value) ~= 'table' then return '' end
    -- Lua counts the elements of an array from 1.
    value = value[tonumber(key) and tonumber(key) + 1 or key]
  end
  return value == nil and '' or tostring(value)
end

for at = 3, #arg do
  local record
  if arg[at]:find ':' then record = database:search_ipv6(arg[at]) else record = database:search_ipv4(arg[at]) end
  local texts = {}
  for path in arg[2]:gmatch '[^,]+' do texts[#texts + 1] = text(record, path) end
  print(table.concat(texts, '\t'))
end
