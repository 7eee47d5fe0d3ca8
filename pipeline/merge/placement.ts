import { accuracyRadiusOf } from './accuracy-radius.js';
import type { ElectedCity } from './city-vote.js';
import type { Area } from './places.js';
import { DEFAULT_RADIUS_KM, PRECISE_SHARE, type Level } from './precedence.js';
import type { Position, ResolvedClaim } from './resolved-claim.js';
import { filterClaims, heaviest, type VoteResult } from './vote.js';

/** The coordinates and time zone of a decision. */
export interface Placement {
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly radiusKm: number | undefined;
  readonly timeZone: string | undefined;
}

/** What was decided on each level. */
export interface Decision {
  readonly country: VoteResult;
  readonly region: VoteResult | undefined;
  readonly city: ElectedCity | undefined;
  readonly isAnycast: boolean;
}

/**
 * Returns the coordinates and time zone of the decided city, else of the region, else of the country. Where the claims
 * give none, they are those of the area in the gazetteer. Coordinates of an override are taken literally. An anycast
 * network without a city gets nothing from claims if the gazetteer knows the country: it has no place there.
 */
export function placementOf({ country, region, city, isAnycast }: Decision): Placement {
  const strongest = country.winners[0]!;
  const areas: Areas = { region: region?.winners[0]!.areas.region, country: strongest.areas.country };
  const level = city ? 'city' : region ? 'region' : 'country';
  const stated = city
    ? statedInCity(city)
    : region
      ? statedOfArea('region', region.winners, areas.region)
      : isAnycast && areas.country
        ? NOTHING
        : statedOfArea('country', country.winners, areas.country);
  const isStated = (city?.named ?? (region ?? country).winners[0]!).weight.rule !== 'vote';
  const timeZone = timeZoneOf(stated.timeZone, level, areas);
  if (strongest.isUnplaced)
    return { latitude: undefined, longitude: undefined, radiusKm: undefined, timeZone };
  if (strongest.weight.rule === 'override' && strongest.position) {
    const { latitude, longitude } = strongest.position;
    return { latitude, longitude, radiusKm: undefined, timeZone };
  }
  if (stated.position) {
    const { latitude, longitude } = stated.position;
    return { latitude, longitude, radiusKm: accuracyRadiusOf(level, stated.position, isStated), timeZone };
  }
  const placed = positionOf(areas.region) ?? positionOf(areas.country);
  return {
    latitude: placed?.latitude,
    longitude: placed?.longitude,
    radiusKm: placed && (placed.radiusKm ?? DEFAULT_RADIUS_KM[level]),
    timeZone,
  };
}
const NOTHING: Stated = { position: undefined, timeZone: undefined };

/** The areas of a decision in the gazetteer. */
interface Areas {
  readonly region?: Area | undefined;
  readonly country?: Area | undefined;
}

/** What the claims give. */
interface Stated {
  readonly position: Position | undefined;
  readonly timeZone: string | undefined;
}

/**
 * Returns the coordinates from the claims that name this very city, else the gazetteer's, else those of another claim
 * of the cluster.
 */
function statedInCity({ named, namesakes, cluster }: ElectedCity): Stated {
  const exact = heaviest(namesakes, CITY, hasPosition)?.position ?? named.cityPosition;
  const zoned = heaviest(namesakes, CITY, hasTimeZone) ?? heaviest(cluster.winners, CITY, hasTimeZone);
  return {
    position: exact ?? heaviest(cluster.winners, CITY, hasPosition)?.position,
    timeZone: zoned?.timeZone,
  };
}

/**
 * Returns the coordinates of an area from the claims that name it and no place in it: the position of a place in the
 * area, which has a small radius. The feeds' points of whole areas are left out where the gazetteer has one: its points
 * are nearer to most addresses.
 */
function statedOfArea(
  level: 'region' | 'country',
  winners: readonly ResolvedClaim[],
  area: Area | undefined,
): Stated {
  const naming = filterClaims(winners, ({ weight }) => weight.detail === level);
  const areaKm = area?.radiusKm;
  const isUsable = ({ position }: ResolvedClaim): boolean =>
    position !== undefined &&
    (areaKm === undefined || (position.radiusKm ?? Infinity) <= areaKm * PRECISE_SHARE);
  return {
    position: heaviest(naming, { level }, isUsable)?.position,
    timeZone: heaviest(naming, { level }, hasTimeZone)?.timeZone,
  };
}

/** A country with one time zone has it in all areas, whatever a claim states. */
function timeZoneOf(stated: string | undefined, level: Level, areas: Areas): string | undefined {
  const { region, country } = areas;
  return level === 'city'
    ? (stated ?? region?.timeZone ?? country?.timeZone)
    : (country?.timeZone ?? stated ?? region?.timeZone);
}

function positionOf(area: Area | undefined): Position | undefined {
  return area?.latitude === undefined ? undefined : (area as Position);
}

const CITY = { level: 'city' } as const;

function hasPosition({ position }: ResolvedClaim): boolean {
  return position !== undefined;
}

function hasTimeZone({ timeZone }: ResolvedClaim): boolean {
  return timeZone !== undefined;
}
