import assert from 'node:assert';
import { BlockList, isIP } from 'node:net';
import { parseTargetAddress } from '../targets/target.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { OwnAddresses } from './own-addresses.js';

/** The rules of the guard. */
export interface EgressRules {
  readonly reserved: ReservedSpace;
  /** CIDR blocks or addresses the operator denies. */
  readonly denied: readonly string[];
  /** Allows 127.0.0.0/8 and ::1. For tests and development only. */
  readonly allowLoopback: boolean;
  /** Addresses of this machine, whose local services may trust them. Default: those of its interfaces. */
  readonly own?: OwnAddresses;
}

/** Decides which addresses the server may connect to for a caller: public ones the operator does not deny. */
export class EgressGuard {
  readonly #rules: EgressRules;
  readonly #denied: BlockList;
  readonly #own: OwnAddresses;

  constructor(rules: EgressRules) {
    this.#rules = rules;
    this.#denied = blockListOf(rules.denied);
    this.#own = rules.own ?? new OwnAddresses();
  }

  /**
   * Returns false for an invalid address, a zone, or an embedded IPv4 address that is not public (`::ffff:10.0.0.1`).
   */
  allows(text: string): boolean {
    const address = parseTargetAddress(text);
    if (address === undefined) return false;
    const { ip, version } = address;
    if (this.#denied.check(ip, familyOf(version))) return false;
    if (isLoopback(ip)) return this.#rules.allowLoopback;
    return !this.#rules.reserved.has(ip) && !this.#own.has(ip);
  }
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.');
}

function blockListOf(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [text = '', length] = block.split('/');
    const address = parseTargetAddress(text);
    assert(address, block);
    const { ip, version } = address;
    const bits = version === 4 ? 32 : 128;
    // An IPv4-mapped block has 96 more prefix bits than the IPv4 block.
    const mappedBits = version === 4 && isIP(text) === 6 ? 96 : 0;
    list.addSubnet(ip, length === undefined ? bits : Number(length) - mappedBits, familyOf(version));
  }
  return list;
}

function familyOf(version: 4 | 6): 'ipv4' | 'ipv6' {
  return version === 4 ? 'ipv4' : 'ipv6';
}
