import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { NameServer } from './name-server.js';

/** Returns a name with the case of each letter chosen at random (draft-vixie-dnsext-dns0x20). */
export function mixedCase(name: string): string {
  const bits = randomBytes((name.length + 7) >> 3);
  return name.replace(/[a-z]/g, (letter, at: number) =>
    (bits[at >> 3]! >> (at & 7)) & 1 ? letter.toUpperCase() : letter,
  );
}

/** Remembers the servers that do not answer names in mixed case. They are asked in lower case for a while. */
export class CaseMemory {
  readonly #plain: LRUCache<string, true>;
  /** Consecutive queries that a server answered in lower case only. */
  readonly #misses = new LRUCache<string, number>({ max: MAX_SERVERS });

  constructor(rememberMs = 3_600_000) {
    this.#plain = new LRUCache({ max: MAX_SERVERS, ttl: rememberMs });
  }

  /** Returns whether to ask a server in mixed case. */
  mayMix({ text }: NameServer): boolean {
    return !this.#plain.has(text);
  }

  /** Records that a server echoed the case. */
  kept({ text }: NameServer): void {
    this.#misses.delete(text);
  }

  /** Records that a server changes the case. */
  folded({ text }: NameServer): void {
    this.#plain.set(text, true);
  }

  /** Records that a server was silent in mixed case and answered in lower case. A packet may have been lost. */
  ignored(server: NameServer): void {
    const misses = (this.#misses.get(server.text) ?? 0) + 1;
    this.#misses.set(server.text, misses);
    if (misses >= MAX_MISSES) this.folded(server);
  }
}

const MAX_SERVERS = 64;
const MAX_MISSES = 3;
