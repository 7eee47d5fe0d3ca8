import { BlockList, isIP } from 'node:net';
import { parseTargetAddress } from '../targets/target.js';
import type { ReservedSpace } from '../targets/reserved-space.js';

/** What the guard goes by. */
export interface EgressRules {
  readonly reserved: ReservedSpace;
  /** CIDR blocks or addresses of the operator that are never connected to. */
  readonly denied: readonly string[];
  /** Lets 127.0.0.0/8 and ::1 through: for tests and development only. */
  readonly allowLoopback: boolean;
}

/** Says which addresses may be connected to on behalf of a caller: public ones, and none that the operator denies. */
export class EgressGuard {
  readonly #rules: EgressRules;
  readonly #denied: BlockList;

  constructor(rules: EgressRules) {
    this.#rules = rules;
    this.#denied = blockListOf(rules.denied);
  }

  /** False for what is no address, has a zone, or carries an IPv4 address that is not public (`::ffff:10.0.0.1`). */
  allows(text: string): boolean {
    const address = parseTargetAddress(text);
    if (address === undefined) return false;
    const { ip, version } = address;
    if (this.#denied.check(ip, version === 4 ? 'ipv4' : 'ipv6')) return false;
    if (isLoopback(ip)) return this.#rules.allowLoopback;
    return !this.#rules.reserved.has(ip);
  }
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.');
}

function blockListOf(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', length] = block.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(address, length === undefined ? (family === 'ipv4' ? 32 : 128) : Number(length), family);
  }
  return list;
}
