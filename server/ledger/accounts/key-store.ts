import type { RedisClient, RedisConnection } from '../redis-connection.js';
import type { RedisMemory } from '../redis-memory.js';
import { AccountError, type KeyTerms } from './account.js';
import { KEYS_KEY, parseKeyRecord, USED_KEY, type KeyRecord } from './account-records.js';
import type { AccountCommands } from './account-scripts.js';
import { hashOfKey, isApiKey, newApiKey, prefixOfKey } from './api-key.js';

/** A stored key. */
export interface FoundKey extends KeyRecord {
  readonly hash: string;
  /** When the key was last presented, ISO 8601 UTC, to the minute. */
  readonly lastUsed?: string;
}

/** API keys in Redis. */
export class KeyStore {
  constructor(
    private readonly redis: RedisConnection,
    private readonly client: RedisClient & AccountCommands,
    private readonly memory: RedisMemory,
  ) {}

  /** Creates a key. It is new, so no process has cached it as invalid. */
  async create(account: number, terms: KeyTerms): Promise<string> {
    const key = newApiKey();
    const record = JSON.stringify(recordOf(key, account, terms));
    await this.memory.withRoom(() => this.client.hset(KEYS_KEY, hashOfKey(key), record));
    return key;
  }

  /** Replaces a key. Throws AccountError when it has been revoked. */
  async replace(old: FoundKey, terms: KeyTerms): Promise<string> {
    const key = newApiKey();
    const record = JSON.stringify(recordOf(key, old.account, terms));
    const rotated = await this.redis.watched(
      this.client.rotateKey(KEYS_KEY, USED_KEY, old.hash, hashOfKey(key), record),
    );
    if (rotated === 0) throw new AccountError(`key ${old.prefix} was revoked in the meantime`);
    return key;
  }

  async delete({ hash }: FoundKey): Promise<void> {
    await this.redis.watched(this.client.hdel(KEYS_KEY, hash));
    await this.redis.watched(this.client.hdel(USED_KEY, hash));
  }

  /** Returns all keys, oldest first. */
  async all(): Promise<FoundKey[]> {
    const records = await this.redis.watched(this.client.hgetall(KEYS_KEY));
    const used = await this.redis.watched(this.client.hgetall(USED_KEY));
    return Object.entries(records)
      .map(([hash, record]) => ({ hash, ...parseKeyRecord(record), ...lastUsedOf(used[hash]) }))
      .sort((a, b) => (a.created < b.created ? -1 : 1));
  }

  /** Finds a key, given in full or by its prefix as `key list` shows it. Throws AccountError. */
  async find(keyOrPrefix: string): Promise<FoundKey> {
    const name = keyOrPrefix.trim().replace(/(…|\.\.\.)$/, '');
    const keys = await this.all();
    const hash = hashOfKey(name);
    const found = isApiKey(name)
      ? keys.filter((key) => key.hash === hash)
      : keys.filter(({ prefix }) => prefix === name);
    if (found.length > 1)
      throw new AccountError(`${found.length} keys begin with ${name}: give the full key`);
    if (found[0] === undefined) throw new AccountError(`unknown key ${prefixOfKey(name)}`);
    return found[0];
  }
}

function recordOf(key: string, account: number, terms: KeyTerms): KeyRecord {
  return { account, prefix: prefixOfKey(key), created: new Date().toISOString(), ...terms };
}

function lastUsedOf(seconds: string | undefined): { lastUsed?: string } {
  return seconds === undefined ? {} : { lastUsed: new Date(Number(seconds) * 1000).toISOString() };
}
