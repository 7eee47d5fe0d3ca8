import { isPrivateAsn, isReservedAsn } from '../net/as-number.js';
import { alignColumns } from '../release/columns.js';
import { printableLines } from '../text/printable.js';
import type { NetworkInspection } from './inspect-network.js';
import type { ExchangeShown, LinkedShown, NetworkShown } from './inspect-records.js';
import { grouped } from '../text/figure-text.js';

/** Returns an inspection of an AS number as text: its profile, then its neighbours in descending order of power. */
export function describeNetwork({ asn, release, routing }: NetworkInspection): string {
  const head = `AS${asn} in release ${release}`;
  if (!routing) return [head, '', 'no networks.mmdb in this release'].join('\n');
  const { network } = routing;
  if (!network) return [head, '', whyUnknown(asn)].join('\n');
  const links = linkRows(network);
  const parts = [[head], alignColumns(profileRows(network), 2), alignColumns(links, 3)];
  return parts
    .filter((lines) => lines.length > 0)
    .map(printableLines)
    .join('\n\n');
}

/** Formats an AS: `AS13335 CLOUDFLARENET`. */
export function nameAs(asn: number, name: string | undefined): string {
  return name === undefined ? `AS${asn}` : `AS${asn} ${name}`;
}

/** Formats an exchange: `DE-CIX Frankfurt (Frankfurt, DE)`. */
export function nameExchange({ name, city, country }: ExchangeShown): string {
  const place = [city, country].filter((part) => part !== undefined).join(', ');
  return place === '' ? name : `${name} (${place})`;
}

const MAX_LINKS = 10;
const MAX_EXCHANGES = 10;
const MAX_PREFIXES = 5;

function whyUnknown(asn: number): string {
  if (isPrivateAsn(asn)) return 'private use (RFC 6996)';
  return isReservedAsn(asn) ? 'reserved' : 'not delegated, and not in any route';
}

function profileRows(network: NetworkShown): string[][] {
  const { name, entity, country, registry, status, date, in_use, exchanges = [] } = network;
  const { ipv4_prefixes = [], ipv6_prefixes = [] } = network;
  const delegation = [registry, status, date].filter((part) => part !== undefined).join(', ');
  const rows: [string, string | undefined][] = [
    ['name', name],
    ['entity', entity],
    ['country', country],
    ['delegated', delegation === '' ? undefined : delegation],
    ['in use', in_use === undefined ? undefined : in_use ? 'yes' : 'no'],
    ['IPv4', firstOf(ipv4_prefixes, MAX_PREFIXES, 'prefix', 'prefixes')],
    ['IPv6', firstOf(ipv6_prefixes, MAX_PREFIXES, 'prefix', 'prefixes')],
    ['exchanges', firstOf(exchanges.map(nameExchange), MAX_EXCHANGES)],
  ];
  return rows.flatMap(([label, text]) => (text === undefined ? [] : [[label, text]]));
}

/** The count and the first texts: `9,453 prefixes: 1.0.1.0/24, …`; absent for an empty list. */
function firstOf(texts: readonly string[], most: number, one = '', many = ''): string | undefined {
  if (texts.length === 0) return undefined;
  const shown = texts.slice(0, most).join(', ') + (texts.length > most ? ', …' : '');
  const counted = [grouped(texts.length), texts.length === 1 ? one : many].filter((part) => part !== '');
  return `${counted.join(' ')}: ${shown}`;
}

/** The rows of upstreams, downstreams and peers, with their power in the last column. */
function linkRows({ topology }: NetworkShown): string[][] {
  const lists = [
    ['upstreams', topology?.upstreams],
    ['downstreams', topology?.downstreams],
    ['peers', topology?.peers],
  ] as const;
  return lists.flatMap(([label, links = []]) =>
    links.length === 0 ? [] : [headOf(label, links), ...links.slice(0, MAX_LINKS).map(linkRow)],
  );
}

function headOf(label: string, { length }: readonly LinkedShown[]): string[] {
  return [label, length > MAX_LINKS ? `${grouped(length)}, first ${MAX_LINKS}:` : grouped(length)];
}

function linkRow({ asn, name, power, uncertain }: LinkedShown): string[] {
  return ['', `AS${asn}`, name ?? '-', grouped(power), ...(uncertain === true ? ['uncertain'] : [])];
}
