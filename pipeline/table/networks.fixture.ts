import { ADDRESS_BITS, IPV4_DEPTH, type Address } from '../net/address.js';

/** Disjoint networks in address order, each with a record id, in columns. */
export interface NetworkColumns {
  readonly count: number;
  /** Four words per network. */
  readonly addresses: Uint32Array;
  /** Bits in the 128-bit space. */
  readonly lengths: Uint8Array;
  readonly recordIds: Uint32Array;
}

/**
 * Creates networks like those of a geolocation feed, deterministically: two thirds IPv4 /20 to /28, one third IPv6
 * /32 to /64, 15 % with the record of the previous network. `count` is at most 6 million.
 */
export function exampleNetworks(count: number, distinctRecords: number, seed = 1): NetworkColumns {
  const random = pseudoRandom(seed);
  const addresses = new Uint32Array(4 * count);
  const lengths = new Uint8Array(count);
  const recordIds = new Uint32Array(count);
  const ipv4Count = Math.round(count * 0.66);
  // Counted in IPv4 addresses from 0.0.0.0, then in /64 networks from 2400::.
  let next = 0x0100_0000;
  for (let i = 0; i < count; i++) {
    const isIpv4 = i < ipv4Count;
    if (i === ipv4Count) next = 0;
    // The larger of two random lengths: feeds have more small networks than large ones, and all have to fit.
    const length = isIpv4 ? 20 + Math.max(random(9), random(9)) : 32 + Math.max(random(33), random(33));
    const size = 2 ** ((isIpv4 ? 32 : 64) - length);
    const start = Math.ceil(next / size) * size;
    next = start + size;
    if (isIpv4) {
      addresses[4 * i + 3] = start;
    } else {
      addresses[4 * i] = 0x2400_0000 + Math.floor(start / 2 ** 32);
      addresses[4 * i + 1] = start % 2 ** 32;
    }
    lengths[i] = isIpv4 ? IPV4_DEPTH + length : length;
    recordIds[i] = i > 0 && random(100) < 15 ? recordIds[i - 1]! : random(distinctRecords);
  }
  return { count, addresses, lengths, recordIds };
}

/** Returns the address of network `index` as a view. */
export function addressOf({ addresses }: NetworkColumns, index: number): Address {
  return addresses.subarray(4 * index, 4 * index + 4);
}

/** Returns the integers 0..count-1 in a pseudo-random order that is the same in every run. */
export function shuffledOrder(count: number): Uint32Array {
  const random = pseudoRandom(7);
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = random(i + 1);
    const held = order[i]!;
    order[i] = order[j]!;
    order[j] = held;
  }
  return order;
}

/** Creates a generator of integers in 0..bound-1 (multiply and xorshift), deterministic per seed. */
export function pseudoRandom(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x9e37_79b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * bound);
  };
}

/** Writes a random address of network `index` into `into`. */
export function addressInside(
  networks: NetworkColumns,
  index: number,
  random: (bound: number) => number,
  into: Address,
): void {
  into.set(addressOf(networks, index));
  for (let bit = networks.lengths[index]!; bit < ADDRESS_BITS; bit++) {
    if (random(2) === 1) into[bit >>> 5] = into[bit >>> 5]! | (1 << (31 - (bit & 31)));
  }
}
