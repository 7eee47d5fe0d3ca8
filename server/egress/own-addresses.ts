import { networkInterfaces } from 'node:os';

/** The addresses of this machine's interfaces, looked at again when they are asked for a minute later. */
export class OwnAddresses {
  #addresses: ReadonlySet<string> = new Set();
  #readAtMs = -Infinity;

  readonly #read: () => readonly string[];
  readonly #now: () => number;

  /** `read` and `now` (ms) are for tests. */
  constructor({ read = interfaceAddresses, now = () => performance.now() }: OwnAddressesOptions = {}) {
    this.#read = read;
    this.#now = now;
  }

  /** `ip` in the spelling of `Target`. */
  has(ip: string): boolean {
    const nowMs = this.#now();
    if (nowMs - this.#readAtMs >= REREAD_MS) {
      this.#addresses = new Set(this.#read());
      this.#readAtMs = nowMs;
    }
    return this.#addresses.has(ip);
  }
}

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
