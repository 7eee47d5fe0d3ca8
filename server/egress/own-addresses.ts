import { networkInterfaces } from 'node:os';

/** The addresses of this machine's interfaces, reread when older than a minute. */
export class OwnAddresses {
  #addresses: ReadonlySet<string> = new Set();
  #readAtMs = -Infinity;

  readonly #read: () => readonly string[];
  readonly #now: () => number;

  /** `read` and `now` (ms) are replaced in tests. */
  constructor({ read = interfaceAddresses, now = () => performance.now() }: OwnAddressesOptions = {}) {
    this.#read = read;
    this.#now = now;
  }

  /** Returns whether this machine has the address, in the spelling of `Target`. */
  has(ip: string): boolean {
    const nowMs = this.#now();
    if (nowMs - this.#readAtMs >= REREAD_MS) {
      this.#addresses = new Set(this.#read());
      this.#readAtMs = nowMs;
    }
    return this.#addresses.has(ip);
  }
}

/** The sources of addresses and time. */
export interface OwnAddressesOptions {
  readonly read?: () => readonly string[];
  readonly now?: () => number;
}

const REREAD_MS = 60_000;

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  );
}
