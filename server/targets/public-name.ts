import { parseDomainName } from './host-name.js';
import type { ReservedSpace } from './reserved-space.js';
import { parseTargetAddress } from './target.js';

/**
 * The name that others may be asked about for what a caller wrote; absent for everything else: special names, and
 * reverse zones of addresses that belong to nobody, which are somebody's private ones (RFC 6303). Who wants a host's
 * addresses parses a target instead, which is under no reverse zone at all.
 */
export function publicName(text: string, reserved: ReservedSpace): string | undefined {
  const name = parseDomainName(text);
  return name === undefined || isReservedReverse(name, reserved) ? undefined : name;
}

/** Whether all addresses that a reverse zone can hold are reserved. Labels that are no numbers hold no addresses. */
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

/** How the labels under a reverse zone, first part first, are an address. */
interface ReverseZone {
  readonly labels: number;
  readonly label: RegExp;
  readonly least: string;
  readonly most: string;
  readonly text: (labels: readonly string[]) => string;
}

const REVERSE_ZONES: Readonly<Record<string, ReverseZone>> = {
  'in-addr.arpa': {
    ...{ labels: 4, label: /^(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/, least: '0', most: '255' },
    text: (labels) => labels.join('.'),
  },
  'ip6.arpa': {
    ...{ labels: 32, label: /^[0-9a-f]$/, least: '0', most: 'f' },
    text: (labels) => labels.join('').replace(/(....)(?=.)/g, '$1:'),
  },
};
