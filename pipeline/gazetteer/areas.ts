import { entryOf, isDefined } from './draft-names.js';
import type { Area, Place } from './place.js';
import { populatedCenter, type PopulatedCenter, type PopulatedPoint } from './populated-center.js';
import { hasSeveralTimeZones, timeZoneOfCountry } from './time-zones.js';

/**
 * Composes the areas of countries (ISO 3166-1) and of the regions of cities. Their centers follow from the cities with
 * coordinates. Areas with neither center nor time zone are left out.
 */
export function composeAreas(countries: Iterable<string>, cities: readonly Place[]): Area[] {
  const inCountry = new Map<string, Place[]>([...countries].map((country) => [country, []]));
  const inRegion = new Map<string, Place[]>();
  for (const city of cities) {
    inCountry.get(city.country)?.push(city);
    if (city.region?.startsWith(`${city.country}-`) === true)
      entryOf(inRegion, city.region, () => [] as Place[]).push(city);
  }
  return [
    ...[...inCountry].map(([country, own]) => areaOf(country, own, countryZone(country, own))),
    ...[...inRegion].map(([region, own]) => areaOf(region, own, regionZone(region, own))),
  ].filter(isDefined);
}

function areaOf(code: string, cities: readonly Place[], timeZone: string | undefined): Area | undefined {
  const center = populatedCenter(cities.filter(isLocated)) ?? UNINHABITED.get(code);
  if (center === undefined && timeZone === undefined) return undefined;
  return { code, ...center, ...(timeZone !== undefined && { timeZone }) };
}

/** Sections of cities are left out, because their inhabitants already count for the city. */
function isLocated(city: Place): city is Place & PopulatedPoint {
  return city.latitude !== undefined && city.longitude !== undefined && city.isSection !== true;
}

/** The tz database does not list Kosovo. */
function countryZone(country: string, cities: readonly Place[]): string | undefined {
  return timeZoneOfCountry(country) ?? (hasSeveralTimeZones(country) ? undefined : commonZone(cities));
}

/** A region of a country with one time zone needs none of its own. */
function regionZone(region: string, cities: readonly Place[]): string | undefined {
  return hasSeveralTimeZones(region.slice(0, 2)) ? commonZone(cities) : undefined;
}

/** Returns the time zone of all cities; undefined for several zones or few cities. */
function commonZone(cities: readonly Place[]): string | undefined {
  const zones = cities.map(({ timeZone }) => timeZone).filter(isDefined);
  return zones.length >= LEAST_CITIES && zones.every((zone) => zone === zones[0]) ? zones[0] : undefined;
}

/** The least number of cities that show the time zone of an area. */
const LEAST_CITIES = 3;

/**
 * Countries without towns that have addresses nevertheless: a point and a radius around most of their land. Points are
 * those of the first zone in `zone.tab` of the tz database, or of the island.
 */
const UNINHABITED: ReadonlyMap<string, PopulatedCenter> = new Map([
  ['AQ', { latitude: -77.83, longitude: 166.6, radiusKm: 4500 }],
  ['BV', { latitude: -54.42, longitude: 3.36, radiusKm: 10 }],
  ['HM', { latitude: -53.1, longitude: 73.52, radiusKm: 50 }],
  ['IO', { latitude: -7.33, longitude: 72.42, radiusKm: 250 }],
  ['TK', { latitude: -9.37, longitude: -171.23, radiusKm: 170 }],
  ['UM', { latitude: 28.22, longitude: -177.37, radiusKm: 4000 }],
]);
