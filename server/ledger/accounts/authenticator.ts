import { LRUCache } from 'lru-cache';
import type { WatchedRedis } from '../watched-redis.js';
import type { Authentication } from './account.js';
import { CHANGES_CHANNEL, KEYS_KEY, parseKeyRecord, readAccount } from './account-records.js';
import { hashOfKey, isApiKey } from './api-key.js';

/** Checks presented keys and caches the results for a minute. */
export class Authenticator {
  readonly #cache = new KeyCache();
  readonly #running = new Map<string, Promise<Authentication>>();

  constructor(private readonly redis: WatchedRedis) {}

  /** Checks a key. Synchronous for a cached key. Never rejects. */
  authenticate(key: string): Authentication | Promise<Authentication> {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    if (!isApiKey(key)) return INVALID;
    if (!this.redis.isReady) return UNDECIDED;
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#lookUp(key).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }

  /** Clears the cache. Called when a key or account has changed, or when a change may have been missed. */
  forgetAll(): void {
    this.#cache.forgetAll();
  }

  /** Clears the cache whenever any process changes a key or account. Returns a function that stops it. */
  followChanges(): () => void {
    const subscriber = this.redis.subscriber();
    const forget = (): void => {
      this.forgetAll();
    };
    subscriber.on('message', forget);
    // Changes before the subscription took effect were missed, so it clears the cache as well.
    subscriber.on('ready', () => {
      subscriber.subscribe(CHANGES_CHANNEL).then(forget, () => undefined);
    });
    // The main connection logs the errors of this server.
    subscriber.on('error', () => undefined);
    return () => {
      subscriber.disconnect();
    };
  }

  async #lookUp(key: string): Promise<Authentication> {
    const { generation } = this.#cache;
    try {
      const authentication = await this.#read(key);
      this.#cache.remember(key, authentication, generation);
      return authentication;
    } catch (error) {
      this.redis.failed(error);
      return UNDECIDED;
    }
  }

  async #read(key: string): Promise<Authentication> {
    const { redis } = this;
    const record = await redis.watched(redis.client.hget(KEYS_KEY, hashOfKey(key)));
    if (record === null) return INVALID;
    const account = await redis.watched(readAccount(redis.client, parseKeyRecord(record).account));
    return account === undefined ? INVALID : { kind: 'account', account };
  }
}

const INVALID: Authentication = { kind: 'invalid' };
const UNDECIDED: Authentication = { kind: 'undecided' };

const CACHED_MS = 60_000;
/** Of each kind: a flood of invalid keys cannot push out valid ones. */
const MOST_KEYS = 20_000;

/** Recently checked keys. */
class KeyCache {
  readonly #valid = new LRUCache<string, Authentication>({ max: MOST_KEYS, ttl: CACHED_MS });
  readonly #invalid = new LRUCache<string, Authentication>({ max: MOST_KEYS, ttl: CACHED_MS });
  #generation = 0;

  get(key: string): Authentication | undefined {
    return this.#valid.get(key) ?? this.#invalid.get(key);
  }

  /** Increases with every `forgetAll`. A result read under an older generation is not cached. */
  get generation(): number {
    return this.#generation;
  }

  remember(key: string, authentication: Authentication, generation: number): void {
    if (generation !== this.#generation) return;
    (authentication.kind === 'account' ? this.#valid : this.#invalid).set(key, authentication);
  }

  forgetAll(): void {
    this.#generation++;
    this.#valid.clear();
    this.#invalid.clear();
  }
}
