import type { Area, Coordinates, Places } from '../places.js';

interface City extends Coordinates {
  readonly id: number;
  readonly region?: string;
  readonly timeZone?: string;
}

/** Cities with GeoNames ids. Lyon and Villeurbanne are within 50 km of each other, as are Cologne and Bonn. */
export const CITIES = {
  lyon: city(2996944, 45.75, 4.85, 'FR-ARA', 'Europe/Paris'),
  villeurbanne: city(2968254, 45.766, 4.8795, 'FR-ARA', 'Europe/Paris'),
  grenoble: city(3014728, 45.1667, 5.7167, 'FR-ARA', 'Europe/Paris'),
  paris: city(2988507, 48.8534, 2.3488, 'FR-IDF', 'Europe/Paris'),
  cologne: city(2886242, 50.9333, 6.95, 'DE-NW', 'Europe/Berlin'),
  bonn: city(2946447, 50.7344, 7.0955, 'DE-NW', 'Europe/Berlin'),
  guangzhou: city(1809858, 23.1167, 113.25, 'CN-GD', 'Asia/Shanghai'),
  shenzhen: city(1795565, 22.5455, 114.0683, 'CN-GD', 'Asia/Shanghai'),
  hongKong: city(1819729, 22.2783, 114.1747, undefined, 'Asia/Hong_Kong'),
  taipei: city(1668341, 25.0478, 121.5319, 'TW-TPE', 'Asia/Taipei'),
} as const;

/** Countries and regions. DE-NW has no center, and US has several time zones. */
export const AREAS = {
  france: { code: 'FR', latitude: 47.1, longitude: 2.4, radiusKm: 380, timeZone: 'Europe/Paris' },
  rhone: { code: 'FR-ARA', latitude: 45.4, longitude: 4.4, radiusKm: 90 },
  germany: { code: 'DE', latitude: 51.3, longitude: 9.5, radiusKm: 270, timeZone: 'Europe/Berlin' },
  us: { code: 'US', latitude: 38.6, longitude: -90.2, radiusKm: 1500 },
  california: {
    code: 'US-CA',
    latitude: 34.1,
    longitude: -118.2,
    radiusKm: 300,
    timeZone: 'America/Los_Angeles',
  },
} as const satisfies Readonly<Record<string, Area>>;

/** The facts of CITIES, without areas. */
export const EXAMPLE_PLACES: Places = {
  coordinatesOf: (cityId) => {
    const found = byId(cityId);
    return found && { latitude: found.latitude, longitude: found.longitude };
  },
  regionOfCity: (cityId) => byId(cityId)?.region,
  timeZoneOf: (cityId) => byId(cityId)?.timeZone,
  areaOf: () => undefined,
};

/** The facts of CITIES and AREAS. */
export const PLACES_WITH_AREAS: Places = {
  ...EXAMPLE_PLACES,
  areaOf: (code) => Object.values<Area>(AREAS).find((area) => area.code === code),
};

/** No known city. */
export const NO_PLACES: Places = {
  coordinatesOf: () => undefined,
  regionOfCity: () => undefined,
  timeZoneOf: () => undefined,
  areaOf: () => undefined,
};

function byId(id: number): City | undefined {
  return Object.values<City>(CITIES).find((candidate) => candidate.id === id);
}

// eslint-disable-next-line max-params -- one line per city keeps the table readable
function city(id: number, latitude: number, longitude: number, region?: string, timeZone?: string): City {
  return {
    id,
    latitude,
    longitude,
    ...(region !== undefined && { region }),
    ...(timeZone !== undefined && { timeZone }),
  };
}
