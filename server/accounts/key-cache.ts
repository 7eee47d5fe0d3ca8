import { LRUCache } from 'lru-cache';
import type { Account, Authentication } from './account.js';

const SEEN_MS = 60_000;
/** Of each kind: so nobody can push valid keys out with invalid ones. */
const MOST_KEYS = 20_000;

/** What keys turned out to be within the last minute. */
export class KeyCache {
  readonly #valid = new LRUCache<string, Authentication>({ max: MOST_KEYS, ttl: SEEN_MS });
  readonly #invalid = new LRUCache<string, Authentication>({ max: MOST_KEYS, ttl: SEEN_MS });
  #generation = 0;

  get(key: string): Authentication | undefined {
    return this.#valid.get(key) ?? this.#invalid.get(key);
  }

  /** Goes up when all is forgotten: what was asked for before that must not be remembered. */
  get generation(): number {
    return this.#generation;
  }

  remember(key: string, account: Account | undefined, generation: number): Authentication {
    const found: Authentication = account === undefined ? INVALID : { kind: 'account', account };
    if (generation === this.#generation)
      (account === undefined ? this.#invalid : this.#valid).set(key, found);
    return found;
  }

  forgetAll(): void {
    this.#generation++;
    this.#valid.clear();
    this.#invalid.clear();
  }
}

const INVALID: Authentication = { kind: 'invalid' };
