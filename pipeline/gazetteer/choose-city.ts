import { distanceKm, type Point } from './distance.js';
import type { TextMatch } from './match-place.js';
import type { Place } from './place.js';

/**
 * Chooses a city: near the coordinates if given, then in the region, then the one with most inhabitants. Returns
 * undefined if none is near, or if several are equal by all criteria.
 */
export function chooseCity({ groups, region }: TextMatch, point: Point): Place | undefined {
  for (const { cities, withinKm } of groups) {
    const chosen =
      cities.length === 1 && point.latitude === undefined && withinKm === undefined
        ? cities[0]
        : best(cities, { region, point, withinKm });
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}

/** Returns the region of a match, given the chosen city. */
export function regionOf({ region, isRegionInUse }: TextMatch, city: Place | undefined): string | undefined {
  return isRegionInUse ? region : (city?.region ?? region);
}

/** The maximum distance of a city from the claim's coordinates. */
const CITY_KM = 100;
/** Two entries within this distance are the same city, listed twice. */
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

/** Returns the rank, lower is better: cities in the region first, then whole places before sections. */
function rankOf(city: Place, region: string | undefined): number {
  return (region === undefined || city.region === region ? 0 : 2) + (city.isSection === true ? 1 : 0);
}

/** Compares distances in steps of 25 km, so that within a step the larger city wins. Unknown distances are last. */
function compareKm(one: number | undefined, other: number | undefined): number {
  const step = (km: number | undefined): number =>
    km === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(km / 25);
  return step(one) - step(other);
}

function populationOf(city: Place): number {
  return city.population ?? 0;
}
