import { LRUCache } from 'lru-cache';
import type { RedisConnection } from '../redis-connection.js';
import type { Authentication } from './account.js';
import { CHANGES_CHANNEL, KEYS_KEY, parseKeyRecord, readAccount, USED_KEY } from './account-records.js';
import { LOOK_UP_SCRIPTS, type LookUpCommands } from './account-scripts.js';
import { hashOfKey, isApiKey } from './api-key.js';
import { networkMatcher } from './key-terms.js';

/** Checks presented keys and caches the results for a minute. */
export class Authenticator {
  readonly #cache = new KeyCache();
  readonly #running = new Map<string, Promise<CheckedKey>>();
  readonly #commands: LookUpCommands;

  constructor(private readonly redis: RedisConnection) {
    this.#commands = redis.withScripts<LookUpCommands>(LOOK_UP_SCRIPTS);
  }

  /** Checks a key that was sent from an address. Synchronous for a cached key. Never rejects. */
  authenticate(key: string, client?: string): Authentication | Promise<Authentication> {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return this.#judge(cached, client);
    if (!isApiKey(key)) return INVALID;
    if (!this.redis.isReadyFor(KEYS_KEY)) return UNDECIDED;
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#lookUp(key).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running.then((checked) => this.#judge(checked, client));
  }

  /** Clears the cache. Called when a key or account has changed, or when a change may have been missed. */
  forgetAll(): void {
    this.#cache.forgetAll();
  }

  /** Clears the cache whenever any process changes a key or account. Returns a function that stops it. */
  followChanges(): () => void {
    const forget = (): void => {
      this.forgetAll();
    };
    // Changes before the subscription took effect were missed, so it clears the cache as well.
    return this.redis.subscribe({ channels: [CHANGES_CHANNEL], onMessage: forget, onSubscribed: forget });
  }

  /** Applies the terms of a key to this call: a cached key may have expired, or come from another address. */
  #judge({ authentication, terms }: CheckedKey, client: string | undefined): Authentication {
    if (terms === undefined) return authentication;
    const { expires, isAllowed } = terms;
    if (expires !== undefined && this.redis.now() >= Date.parse(expires))
      return { kind: 'invalid', expired: expires };
    if (isAllowed !== undefined && (client === undefined || !isAllowed(client))) return OUTSIDE;
    return authentication;
  }

  async #lookUp(key: string): Promise<CheckedKey> {
    const { generation } = this.#cache;
    try {
      const checked = await this.#read(key);
      this.#cache.remember(key, checked, generation);
      return checked;
    } catch (error) {
      this.redis.failed(error);
      return { authentication: UNDECIDED };
    }
  }

  async #read(key: string): Promise<CheckedKey> {
    const { redis } = this;
    const seconds = Math.floor(redis.now() / 60_000) * 60;
    const json = await redis.watched(this.#commands.lookUpKey(KEYS_KEY, USED_KEY, hashOfKey(key), seconds));
    if (json === null) return { authentication: INVALID };
    const { account: id, expires, networks } = parseKeyRecord(json);
    const account = await redis.watched(readAccount(redis.client, id));
    if (account === undefined) return { authentication: INVALID };
    const authentication = { kind: 'account', account } as const;
    if (expires === undefined && networks === undefined) return { authentication };
    return { authentication, terms: { expires, isAllowed: networks && networkMatcher(networks) } };
  }
}

/** A key that was looked up. */
interface CheckedKey {
  readonly authentication: Authentication;
  /** Absent for keys that never expire and may be used from anywhere. */
  readonly terms?: {
    readonly expires: string | undefined;
    readonly isAllowed: ((client: string) => boolean) | undefined;
  };
}

const INVALID: Authentication = { kind: 'invalid' };
const UNDECIDED: Authentication = { kind: 'undecided' };
const OUTSIDE: Authentication = { kind: 'outside' };

const CACHED_MS = 60_000;
/** Of each kind: a flood of invalid keys cannot push out valid ones. */
const MOST_KEYS = 20_000;

/** Recently checked keys. */
class KeyCache {
  readonly #valid = new LRUCache<string, CheckedKey>({ max: MOST_KEYS, ttl: CACHED_MS });
  readonly #invalid = new LRUCache<string, CheckedKey>({ max: MOST_KEYS, ttl: CACHED_MS });
  #generation = 0;

  get(key: string): CheckedKey | undefined {
    return this.#valid.get(key) ?? this.#invalid.get(key);
  }

  /** Increases with every `forgetAll`. A result read under an older generation is not cached. */
  get generation(): number {
    return this.#generation;
  }

  remember(key: string, checked: CheckedKey, generation: number): void {
    if (generation !== this.#generation) return;
    (checked.authentication.kind === 'account' ? this.#valid : this.#invalid).set(key, checked);
  }

  forgetAll(): void {
    this.#generation++;
    this.#valid.clear();
    this.#invalid.clear();
  }
}
