import { alignColumns } from '../release/columns.js';
import { printableLines } from '../text/printable.js';
import { describeIsp } from './describe-isp.js';
import { describeRouting } from './describe-route.js';
import type { Answer } from './inspect-file.js';
import type { GeoRecord, LevelShown, VerdictShown } from './inspect-records.js';
import type { Inspection } from './inspect.js';
import { describeReserved } from './reserved-block.js';

/** Returns an inspection as text: the merged record, the verdict of each feed, the ISP record and the route. */
export function describeInspection(inspection: Inspection): string {
  const { ip, release, geo, feeds, routing, service, reserved } = inspection;
  if (reserved && !geo)
    return printableLines([`${ip} in release ${release}`, '', describeReserved(reserved)]);
  const merged = geo?.record;
  const verdicts = Object.entries(feeds).map(([feed, answer]) => verdictRow(feed, answer, merged));
  const rows = [HEAD, geo ? mergedRow(geo) : ['merged', 'no record'], ...verdicts];
  const table = alignColumns(rows, HEAD.length);
  const parts = [
    [`${ip} in release ${release}`],
    table,
    merged ? reasons(merged) : [],
    describeIsp(service),
    describeRouting(routing),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map(printableLines)
    .join('\n\n');
}

const HEAD = ['', 'network', 'country', 'place', 'agrees on'];

const LEVELS = ['country', 'region', 'city'] as const;

function mergedRow({
  prefix,
  record: { country, subdivisions, city, location },
}: Answer<GeoRecord>): string[] {
  return [
    'merged',
    prefix,
    country?.iso_code ?? '-',
    joined([
      subdivisions?.[0] && nameOf(subdivisions[0]),
      city && nameOf(city),
      coordinates(location?.latitude, location?.longitude),
    ]),
  ];
}

function verdictRow(
  feed: string,
  answer: Answer<VerdictShown> | undefined,
  merged: GeoRecord | undefined,
): string[] {
  if (!answer) return [feed, 'no record'];
  return [
    feed,
    answer.prefix,
    answer.record.country ?? '-',
    joined(partsOf(answer.record)),
    LEVELS.filter((name) => merged?.agreement?.[name]?.includes(feed)).join(', ') || '-',
  ];
}

/** Returns the country and the place of a verdict: `CN, CN-JS, Nanjing, 32.0617,118.7778`. */
export function placeOf(verdict: VerdictShown): string {
  return joined([verdict.country, ...partsOf(verdict)]);
}

function partsOf(verdict: VerdictShown): (string | undefined)[] {
  const { region, region_name, region_zh, city, city_zh, isp, latitude, longitude } = verdict;
  const { basis, is_anycast } = verdict;
  return [
    region ?? region_name ?? region_zh,
    city ?? city_zh,
    coordinates(latitude, longitude),
    isp,
    basis && `(${basis})`,
    is_anycast === true ? '(anycast)' : undefined,
  ];
}

/** A line for each known level: `country CN China 中国: by vote of geolite2, dbip, confidence 90`. */
function reasons({
  country,
  subdivisions,
  city,
  agreement,
  registered_country,
  location,
  traits,
}: GeoRecord): string[] {
  const known = { country, region: subdivisions?.[0], city };
  const lines = LEVELS.flatMap((name) => {
    const found = known[name];
    if (!found) return [];
    const rule = name === 'country' && agreement?.rule !== undefined ? `${agreement.rule} of ` : '';
    const feeds = agreement?.[name];
    const reason = feeds === undefined ? '' : `by ${rule}${feeds.join(', ')}, `;
    return [`${name} ${nameOf(found)}: ${reason}confidence ${found.confidence ?? '-'}`];
  });
  const details = [
    registered_country?.iso_code === undefined ? [] : [`registered in ${registered_country.iso_code}`],
    location?.accuracy_radius === undefined ? [] : [`within ${location.accuracy_radius} km`],
    location?.time_zone ?? [],
    traits?.is_anycast === true ? ['anycast'] : [],
  ].flat();
  return details.length === 0 ? lines : [...lines, details.join(', ')];
}

/** Returns the code and the names of a level: `CN China 中国`. */
export function nameOf({ iso_code, names }: LevelShown): string {
  const text = [names?.en, names?.['zh-CN']].filter((name) => name !== undefined).join(' ');
  return [iso_code, text].filter((part) => part !== undefined && part !== '').join(' ');
}

/** Formats latitude and longitude in degrees. 0 is a valid value. */
export function coordinates(latitude: number | undefined, longitude: number | undefined): string | undefined {
  return latitude === undefined || longitude === undefined ? undefined : `${latitude},${longitude}`;
}

/** Joins the known parts of a place: `CN-JS, Nanjing, 32.0617,118.7778`; `-` without any. */
export function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(', ') || '-';
}
