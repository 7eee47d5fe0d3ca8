import { parseDomainName } from './host-name.js';
import type { ReservedSpace } from './reserved-space.js';
import { parseTargetAddress } from './target.js';

/**
 * Parses a name that may be looked up in the public DNS. Undefined for all others: special names, and reverse zones of
 * reserved addresses, which may be private (RFC 6303). For the addresses of a host use `parseTarget`, which accepts no
 * reverse zones.
 */
export function publicName(text: string, reserved: ReservedSpace): string | undefined {
  const name = parseDomainName(text);
  return name === undefined || isReservedReverse(name, reserved) ? undefined : name;
}

/** Returns whether all addresses of a reverse zone are reserved. Non-numeric labels are ignored. */
function isReservedReverse(name: string, reserved: ReservedSpace): boolean {
  const labels = name.split('.').reverse();
  const zone = REVERSE_ZONES[`${labels[1] ?? ''}.${labels[0] ?? ''}`];
  if (zone === undefined) return false;
  const rest = labels.slice(2, 2 + zone.labels);
  const foreign = rest.findIndex((label) => !zone.label.test(label));
  const numbers = foreign < 0 ? rest : rest.slice(0, foreign);
  if (numbers.length === 0) return false;
  const missing = zone.labels - numbers.length;
  return [zone.least, zone.most].every((filler) => {
    const ip = parseTargetAddress(zone.text([...numbers, ...Array<string>(missing).fill(filler)]))?.ip;
    return ip === undefined || reserved.has(ip);
  });
}

/** How the labels of a reverse zone form an address, most significant first. */
interface ReverseZone {
  readonly labels: number;
  readonly label: RegExp;
  readonly least: string;
  readonly most: string;
  readonly text: (labels: readonly string[]) => string;
}

const REVERSE_ZONES: Readonly<Record<string, ReverseZone>> = {
  'in-addr.arpa': {
    labels: 4,
    label: /^(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/,
    least: '0',
    most: '255',
    text: (labels) => labels.join('.'),
  },
  'ip6.arpa': {
    labels: 32,
    label: /^[0-9a-f]$/,
    least: '0',
    most: 'f',
    text: (labels) => labels.join('').replace(/(....)(?=.)/g, '$1:'),
  },
};
