import { describeReserved } from './reserved-block.js';
import { alignColumns } from '../release/columns.js';
import { printableLines } from '../text/printable.js';
import { nameAs, nameExchange } from './describe-network.js';
import type { AllocationRecord, AsnRecord, RouteRecord } from './inspect-records.js';
import { chainOf, type AddressRouting, type NetworkNames, type PrefixInspection } from './inspect-route.js';
import { grouped } from '../text/figure-text.js';

/** Returns the routing data of an address as lines of two columns. */
export function describeRouting(routing: AddressRouting | undefined): string[] {
  if (!routing) return ['no routing datasets in this release'];
  const { route, hasRoutes, asn, names } = routing;
  return alignColumns(
    [
      ['route', route?.prefix ?? (hasRoutes ? 'not announced' : 'no routing table in this release')],
      ...(route?.prefix === undefined ? [] : routeRows(route, names)),
      ...(route ? coverRows(chainOf(route).slice(1), names) : []),
      ...allocationRows(route?.allocation, names),
      ...lineRows(route),
      ...(asn ? [['asn.mmdb', describeAsn(asn)]] : []),
    ],
    2,
  );
}

/** Returns an inspection of a prefix as text. */
export function describePrefix(inspection: PrefixInspection): string {
  const { prefix, hadHostBits, release, routing, reserved } = inspection;
  const head = `${prefix} in release ${release}${hadHostBits ? ' (host bits ignored)' : ''}`;
  if (reserved) return printableLines([head, '', describeReserved(reserved)]);
  if (!routing) return [head, '', 'no routing datasets in this release'].join('\n');
  const { announced, coveredBy, allocation, names } = routing;
  const rows = [
    ['route', announced ? prefix : 'not announced with this length'],
    ...(announced ? routeRows(announced, names) : []),
    ...coverRows(announced ? chainOf(announced).slice(1) : coveredBy ? chainOf(coveredBy) : [], names),
    ...allocationRows(allocation, names),
    ...lineRows(announced),
  ];
  return printableLines([head, '', ...alignColumns(rows, 2)]);
}

/** Number of upstreams and neighbours shown. */
const MAX_SHOWN = 10;

/** The rows of origins, upstreams and neighbours. A route's name and country are those of its primary origin. */
function routeRows(route: RouteRecord, names: NetworkNames): string[][] {
  const { origin, origins = [], as_country, upstreams = [], neighbours = [] } = route;
  const originTexts = origins.map(({ asn, peers, rpki }) => {
    const country = asn === origin && as_country !== undefined ? `, ${as_country}` : '';
    const seen = peers === undefined ? '' : `, seen by ${grouped(peers)} ${peers === 1 ? 'peer' : 'peers'}`;
    return `${nameAs(asn, names[asn])}${country}${seen}${rpki === undefined ? '' : `, RPKI ${rpki}`}`;
  });
  return [
    ...labelled('origin', originTexts.length > 0 ? originTexts : [originOf(route, names)]),
    ...listed(
      'upstreams',
      upstreams.map(({ asn, count }) => `${nameAs(asn, names[asn])} (${grouped(count)})`),
    ),
    ...listed(
      'neighbours',
      neighbours.map(({ asn, name }) => nameAs(asn, name)),
    ),
  ];
}

/** The rows of covering routes, the most specific first. */
function coverRows(routes: readonly RouteRecord[], names: NetworkNames): string[][] {
  return labelled(
    'covered by',
    routes.map((route) => `${route.prefix ?? ''}, ${originOf(route, names)}`),
  );
}

function originOf({ origin, rpki }: RouteRecord, names: NetworkNames): string {
  const name = origin === undefined ? 'unknown: its paths end in AS sets' : nameAs(origin, names[origin]);
  return rpki === undefined ? name : `${name}, RPKI ${rpki}`;
}

function allocationRows(allocation: AllocationRecord | undefined, names: NetworkNames): string[][] {
  if (!allocation) return [];
  const { prefix, registry, country, status, registered_as: holder } = allocation;
  const registered = holder === undefined ? undefined : `registered with ${nameAs(holder, names[holder])}`;
  const parts = [prefix, registry, country, status, registered].filter((part) => part !== undefined);
  return [['allocation', parts.join(', ')]];
}

function lineRows(route: RouteRecord | undefined): string[][] {
  return [
    ...(route?.line === undefined ? [] : [['line', route.line]]),
    ...(route?.exchange ? [['exchange', nameExchange(route.exchange)]] : []),
  ];
}

function describeAsn({
  autonomous_system_number: asn,
  autonomous_system_organization: organization,
  as_name,
  as_domain,
  as_country,
  as_source,
}: AsnRecord): string {
  const number = asn === undefined ? undefined : nameAs(asn, as_name);
  const source = as_source === undefined ? undefined : `according to ${as_source}`;
  return [number, organization, as_domain, as_country, source]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** One row with the first texts of a list and the number of the others; no row for an empty list. */
function listed(label: string, texts: readonly string[]): string[][] {
  if (texts.length === 0) return [];
  const more = texts.length > MAX_SHOWN ? `, and ${grouped(texts.length - MAX_SHOWN)} more` : '';
  return [[label, texts.slice(0, MAX_SHOWN).join(', ') + more]];
}

/** A row for each text. Only the first has the label. */
function labelled(label: string, texts: readonly string[]): string[][] {
  return texts.map((text, i) => [i === 0 ? label : '', text]);
}
