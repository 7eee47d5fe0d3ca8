import assert from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newAddress, parseAddressInto, type Address } from '../../pipeline/net/address.js';
import type { Prefix } from '../../pipeline/net/prefix.js';
import { parseSpecialPurposeRegistry, type SpecialPurposeRange } from '../../pipeline/net/special-purpose.js';

/**
 * Reads IANA's two special-purpose registries (https://www.iana.org/assignments/iana-ipv4-special-registry,
 * …-ipv6-…) from a folder. Throws file system errors, and RegistryError when a file is not a registry.
 */
export async function readReservedSpace(registryDir: string): Promise<ReservedSpace> {
  const files = REGISTRY_FILES.map((name) => readFile(join(registryDir, name), 'utf8'));
  return new ReservedSpace((await Promise.all(files)).flatMap(parseSpecialPurposeRegistry));
}

/**
 * Reserved addresses (decision 20). The longest matching row of the registries decides. Multicast, class E and
 * everything outside IPv6's global unicast block is reserved in any case.
 */
export class ReservedSpace {
  /** Rows by prefix length, longest first: four words each, and whether the row is reserved. */
  readonly #networks: Uint32Array;
  readonly #masks: Uint32Array;
  readonly #reserves: Uint8Array;
  /** The rows of IPv4: a word and a mask each, in the same order. */
  readonly #ipv4: readonly { readonly network: number; readonly mask: number; readonly reserves: boolean }[];
  /** Scratch buffer for the address of the current call. */
  readonly #address = newAddress();

  constructor(registries: readonly SpecialPurposeRange[]) {
    const rows = registries
      .filter(({ prefix }) => isUnicast(prefix))
      .sort((a, b) => b.prefix.length - a.prefix.length);
    this.#ipv4 = rows
      .filter(({ prefix }) => prefix.family === 4)
      .map(({ prefix, globallyReachable }) => ({
        network: prefix.address[3]!,
        mask: maskOf(prefix.length)[3]!,
        reserves: !globallyReachable,
      }));
    this.#networks = Uint32Array.from(rows.flatMap(({ prefix }) => [...prefix.address]));
    this.#masks = Uint32Array.from(rows.flatMap(({ prefix }) => maskOf(prefix.length)));
    this.#reserves = Uint8Array.from(rows, ({ globallyReachable }) => (globallyReachable ? 0 : 1));
  }

  /** Returns whether an address is reserved. `ip` must pass `net.isIP`, without a zone and not IPv4-mapped. */
  has(ip: string): boolean {
    const address = this.#address;
    const family = parseAddressInto(ip, address);
    assert(family !== undefined, ip);
    if (!isUnicast({ address, family })) return true;
    return family === 4 ? this.#ipv4Reserves(address[3]!) : this.#rowReserves(address);
  }

  #ipv4Reserves(address: number): boolean {
    for (const { network, mask, reserves } of this.#ipv4)
      if ((address & mask) >>> 0 === network) return reserves;
    return false;
  }

  #rowReserves(address: Address): boolean {
    const networks = this.#networks;
    const masks = this.#masks;
    for (let row = 0, i = 0; i < networks.length; row++, i += 4) {
      if (
        (address[0]! & masks[i]!) >>> 0 === networks[i] &&
        (address[1]! & masks[i + 1]!) >>> 0 === networks[i + 1] &&
        (address[2]! & masks[i + 2]!) >>> 0 === networks[i + 2] &&
        (address[3]! & masks[i + 3]!) >>> 0 === networks[i + 3]
      ) {
        return this.#reserves[row] === 1;
      }
    }
    return false;
  }
}

const REGISTRY_FILES = ['iana-ipv4-special-registry.xml', 'iana-ipv6-special-registry.xml'] as const;

/** Returns whether a prefix is below 224.0.0.0/3 (multicast, class E), or in 2000::/3 (RFC 4291 §2.4). */
function isUnicast({ address, family }: Pick<Prefix, 'address' | 'family'>): boolean {
  return family === 4 ? address[3]! < 0xe000_0000 : address[0]! >>> 29 === 1;
}

/** Returns `length` leading ones as four words. */
function maskOf(length: number): number[] {
  return [0, 32, 64, 96].map((before) => {
    const ones = Math.min(Math.max(length - before, 0), 32);
    return ones === 0 ? 0 : (0xffff_ffff << (32 - ones)) >>> 0;
  });
}
