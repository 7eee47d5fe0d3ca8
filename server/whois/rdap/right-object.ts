import { compareAddresses, parseAddress } from '../../../pipeline/net/address.js';
import { parseDomainName } from '../../targets/host-name.js';
import type { WhoisTarget } from '../whois-record.js';
import { fieldOf, textOf } from './untrusted-json.js';

/** Returns whether an RDAP object is about the query: of its kind, and with its name or around it if stated. */
export function isAbout(object: unknown, target: WhoisTarget): boolean {
  if (textOf(fieldOf(object, 'objectClassName')) !== CLASS_NAMES[target.kind]) return false;
  switch (target.kind) {
    case 'domain':
      return isNamed(object, target.name);
    case 'asn':
      return isWithin(fieldOf(object, 'startAutnum'), target.asn, fieldOf(object, 'endAutnum'));
    case 'ip':
      return hasAddress(object, target.ip);
  }
}

const CLASS_NAMES = { domain: 'domain', ip: 'ip network', asn: 'autnum' } as const;

function isNamed(object: unknown, name: string): boolean {
  const stated = textOf(fieldOf(object, 'ldhName')) || textOf(fieldOf(object, 'unicodeName'));
  return stated !== '' && parseDomainName(stated) === name;
}

function isWithin(start: unknown, asn: number, end: unknown): boolean {
  if (typeof start !== 'number') return true;
  return start <= asn && asn <= (typeof end === 'number' ? end : start);
}

/** Compares addresses. Some servers append a prefix length (`192.0.2.0/24`). */
function hasAddress(object: unknown, ip: string): boolean {
  const [start, asked, end] = [fieldOf(object, 'startAddress'), ip, fieldOf(object, 'endAddress')].map(
    (text) => parseAddress(textOf(text).split('/', 1)[0] ?? ''),
  );
  if (!start || !end) return true;
  if (start.family !== asked!.family || end.family !== asked!.family) return false;
  return (
    compareAddresses(start.address, asked!.address) <= 0 && compareAddresses(asked!.address, end.address) <= 0
  );
}
