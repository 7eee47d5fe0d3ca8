import { getDomain } from 'tldts';
import { formatAddress, newAddress } from '../../pipeline/net/address.js';
import { isReservedAsn } from '../../pipeline/net/as-number.js';
import { lastAddressInto, parsePrefix, type Prefix } from '../../pipeline/net/prefix.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { publicName } from '../targets/public-name.js';
import { parseTargetAddress } from '../targets/target.js';
import type { WhoisTarget } from './whois-record.js';

/**
 * Parses a whois target: an address, `AS13335`, a prefix (host bits are cleared) or a name. A name means its
 * registrable domain: `www.example.co.uk` means example.co.uk. A public suffix such as `co.uk` means itself. Absent for
 * anything else, such as bare numbers, single labels and private reverse zones (decisions 16, 17 and 26).
 */
export function parseWhoisTarget(text: string, reserved: ReservedSpace): WhoisTarget | undefined {
  const [, asn] = AS_NUMBER.exec(text) ?? [];
  if (asn !== undefined) return Number(asn) <= MAX_ASN ? { kind: 'asn', asn: Number(asn) } : undefined;
  if (text.includes('/')) return parseBlock(text);
  const address = parseTargetAddress(text);
  if (address) return { kind: 'ip', ip: address.ip, version: address.version };
  const name = publicName(text, reserved);
  if (name === undefined) return undefined;
  return { kind: 'domain', name: getDomain(name, { allowPrivateDomains: false }) ?? name };
}

/** Returns whether a target cannot be registered, so that no lookup is needed: reserved addresses and AS numbers. */
export function isUnregistrable(target: WhoisTarget, reserved: ReservedSpace): boolean {
  switch (target.kind) {
    case 'domain':
      return false;
    case 'asn':
      return isReservedAsn(target.asn);
    case 'ip':
      return [target.ip, lastOf(target)].every((ip) => reserved.has(ip));
  }
}

/** Returns whether a name is a public suffix such as `co.uk`. It can only be a parent of registered names. */
export function isPublicSuffix(name: string): boolean {
  return getDomain(name, { allowPrivateDomains: false }) === null;
}

const AS_NUMBER = /^as(\d{1,10})$/i;
const MAX_ASN = 0xffff_ffff;

/** Parses an address with a length (decisions 16 and 17). The length of an IPv4-mapped prefix includes 96 bits. */
function parseBlock(text: string): WhoisTarget | undefined {
  const [, address = '', digits = ''] = BLOCK.exec(text) ?? [];
  const found = parseTargetAddress(address);
  if (!found) return undefined;
  const isMapped = found.version === 4 && address.includes(':');
  const length = Number(digits) - (isMapped ? 96 : 0);
  const prefix = length < 0 ? undefined : parsePrefix(`${found.ip}/${length}`);
  if (!prefix) return undefined;
  return { kind: 'ip', ip: formatAddress(prefix.address, found.version), version: found.version, length };
}

const BLOCK = /^([0-9A-Fa-f.:]+)\/(0|[1-9]\d{0,2})$/;

function lastOf({ ip, version, length }: Extract<WhoisTarget, { kind: 'ip' }>): string {
  const prefix: Prefix | undefined = parsePrefix(length === undefined ? ip : `${ip}/${length}`);
  if (!prefix) return ip;
  const last = newAddress();
  lastAddressInto(prefix.address, prefix.length, last);
  return formatAddress(last, version);
}
