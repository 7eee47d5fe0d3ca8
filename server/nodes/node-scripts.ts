/** KEYS: codes, registered, tokens. ARGV: id, code, hash, record. Returns 1, or 0 if the code is taken. */
export const ADD_NODE_SCRIPT = `
if redis.call('HSETNX', KEYS[1], ARGV[2], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
redis.call('HSET', KEYS[3], ARGV[3], ARGV[1])
return 1
`;

/** KEYS: codes, registered, tokens, seen. ARGV: id, code, hash. Returns 1, or 0 if the token is not current. */
export const REMOVE_NODE_SCRIPT = `
if redis.call('HDEL', KEYS[3], ARGV[3]) == 0 then return 0 end
redis.call('HDEL', KEYS[1], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[4], ARGV[1])
return 1
`;

/**
 * KEYS: registered, tokens. ARGV: id, old hash, new hash, new record. Returns 1, or 0 if the old one is not current.
 */
export const ROTATE_TOKEN_SCRIPT = `
if redis.call('HDEL', KEYS[2], ARGV[2]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
return 1
`;

/**
 * Marks a node as online. KEYS: presence, tokens. ARGV: connection, presence, TTL in ms, hash of the token. Returns 1,
 * 0 if a newer connection exists, or -1 if the token is revoked.
 */
export const HOLD_NODE_SCRIPT = `
if redis.call('HEXISTS', KEYS[2], ARGV[4]) == 0 then return -1 end
local held = redis.call('GET', KEYS[1])
if held and cjson.decode(held).connection > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
`;

/** Marks a node as offline unless it has another connection. KEYS: presence. ARGV: connection. Returns 1 or 0. */
export const LEAVE_NODE_SCRIPT = `
local held = redis.call('GET', KEYS[1])
if not held or cjson.decode(held).connection ~= tonumber(ARGV[1]) then return 0 end
return redis.call('DEL', KEYS[1])
`;
