import { alignColumns } from '../release/columns.js';
import { builtMs } from '../release/release-at.js';
import { printableLines } from '../text/printable.js';
import { coordinates, joined, nameOf, placeOf } from './describe-inspection.js';
import type { ChangesSince } from './inspect-then.js';
import type { GeoRecord, IspShown } from './inspect-records.js';
import type { Inspection } from './inspect.js';

/**
 * Returns what has changed since a past release as a table: the values of the record that differ, then the feeds whose
 * verdicts differ, with the build time of the release in which they changed.
 */
export function describeChanges(then: Inspection, { current, feeds }: ChangesSince): string {
  const head = `since then, up to release ${current.release}`;
  if (then.release === current.release) return 'this is the current release';
  const [before, after] = [valuesOf(then), valuesOf(current)];
  const values = Object.keys(before)
    .map((name) => [name, before[name] ?? '-', after[name] ?? '-', ''])
    .filter(([, old, now]) => old !== now);
  const verdicts = feeds.map(({ feed, before: old, after: now, changedIn }) => [
    feed,
    old ? placeOf(old) : 'no record',
    now ? placeOf(now) : 'no record',
    timeOf(changedIn),
  ]);
  const rows = [...values, ...verdicts];
  if (rows.length === 0) return printableLines([head, 'no change']);
  const table = alignColumns([['', 'then', 'now', 'changed in'], ...rows], 4);
  return printableLines([head, ...table]);
}

/** The shown values of an answer by name, in the order of the table. */
function valuesOf({ geo, routing, service }: Inspection): Readonly<Record<string, string | undefined>> {
  const isp = service?.isp?.record;
  const { route, asn } = routing ?? {};
  return {
    ...placeValues(geo?.record),
    route: route?.prefix,
    AS: asNumber(asn?.autonomous_system_number ?? route?.origin),
    ...ispValues(isp),
  };
}

function placeValues(record: GeoRecord | undefined): Readonly<Record<string, string | undefined>> {
  const { country, registered_country, subdivisions, city, location, traits } = record ?? {};
  return {
    country: country && nameOf(country),
    region: subdivisions?.[0] && nameOf(subdivisions[0]),
    city: city && nameOf(city),
    coordinates: coordinates(location?.latitude, location?.longitude),
    'time zone': location?.time_zone,
    registered: registered_country?.iso_code,
    anycast: traits?.is_anycast === true ? 'yes' : undefined,
  };
}

function ispValues(record: IspShown | undefined): Readonly<Record<string, string | undefined>> {
  const { isp, organization, usage_type, proxy, cloud } = record ?? {};
  return {
    ISP: isp,
    organization,
    'usage type': usage_type,
    proxy: proxy && joined([proxy.type, proxy.provider, proxy.threat]),
    cloud: cloud && joined([cloud.provider, cloud.service, cloud.region]),
  };
}

function asNumber(asn: number | undefined): string | undefined {
  return asn === undefined ? undefined : `AS${asn}`;
}

/** The build time in the id of a release, to the minute. */
function timeOf(id: string): string {
  const ms = builtMs(id);
  return ms === undefined ? id : new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}
