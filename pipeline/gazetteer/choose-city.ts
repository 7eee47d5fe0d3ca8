import { distanceKm, type Point } from './distance.js';
import type { PlaceReading } from './match-place.js';
import type { Place } from './place.js';

/**
 * The city of a group that is meant: near the coordinates where there are some, then in the region, then the one with
 * most inhabitants. Absent when none is near, and when several are alike in all of it.
 */
export function chooseCity({ groups, region }: PlaceReading, point: Point): Place | undefined {
  for (const { cities, withinKm } of groups) {
    const chosen =
      cities.length === 1 && point.latitude === undefined && withinKm === undefined
        ? cities[0]
        : best(cities, { region, point, withinKm });
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}

/** The region of a place that was read so, with the city that was chosen. */
export function regionOf(
  { region, isRegionInUse }: PlaceReading,
  city: Place | undefined,
): string | undefined {
  return isRegionInUse ? region : (city?.region ?? region);
}

/** A city is no farther than this from coordinates that are given for it. */
const CITY_KM = 100;
/** Two entries this close are one city, listed twice. */
const TWIN_KM = 30;

function best(
  cities: readonly Place[],
  { region, point, withinKm }: { region: string | undefined; point: Point; withinKm: number | undefined },
): Place | undefined {
  const ranked = cities
    .map((city) => ({ city, km: distanceKm(city, point) }))
    .filter(({ km }) => (km === undefined ? withinKm === undefined : km <= (withinKm ?? CITY_KM)))
    .map(({ city, km }) => ({ city, km, rank: rankOf(city, region) }))
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        compareKm(a.km, b.km) ||
        populationOf(b.city) - populationOf(a.city) ||
        a.city.id - b.city.id,
    );
  const [first, second] = ranked;
  if (first === undefined || second === undefined) return first?.city;
  const isClear =
    first.rank !== second.rank ||
    compareKm(first.km, second.km) !== 0 ||
    populationOf(first.city) > populationOf(second.city);
  return isClear || (distanceKm(first.city, second.city) ?? Infinity) <= TWIN_KM ? first.city : undefined;
}

/** Lower is better: in the region, then whole places. */
function rankOf(city: Place, region: string | undefined): number {
  return (region === undefined || city.region === region ? 0 : 2) + (city.isSection === true ? 1 : 0);
}

/** Nearer first, by steps in which a larger town counts more than a few kilometres; unknown last. */
function compareKm(one: number | undefined, other: number | undefined): number {
  const step = (km: number | undefined): number =>
    km === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(km / 25);
  return step(one) - step(other);
}

function populationOf(city: Place): number {
  return city.population ?? 0;
}
