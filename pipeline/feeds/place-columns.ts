import type { Claim } from './claim.js';
import type { ColumnsRead } from './claim-memo.js';
import { namesNoCountry, parseCountry } from './iso3166.js';
import { presentText } from './own-place.js';

/** Columns that place a network, as published. An empty text or a dash is unknown. */
export interface PlaceText {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly regionName?: string;
  readonly cityName?: string;
  /** Decimal degrees. */
  readonly latitude?: string;
  readonly longitude?: string;
}

/**
 * Reads country, region, city and coordinates. Hong Kong and Macao get no region: what feeds give there is a
 * district. 0,0 without a city is a placeholder; half a pair of coordinates, or one out of range, is dropped.
 * Refused as `country` for a code that is none.
 */
export function readPlace(text: PlaceText): ColumnsRead {
  const code = presentText(text.country) ?? '';
  const country = parseCountry(code);
  if (country === undefined && !namesNoCountry(code)) return { refused: 'country' };
  const hasRegions = country !== 'HK' && country !== 'MO';
  const regionName = hasRegions ? presentText(text.regionName) : undefined;
  const cityName = presentText(text.cityName);
  const coordinates = readCoordinates(text.latitude, text.longitude);
  const isOdd = coordinates === 'odd';
  const claim: Claim = {
    ...(country !== undefined && { country }),
    ...(regionName !== undefined && { regionName }),
    ...(cityName !== undefined && { cityName }),
    ...(!isOdd && !(cityName === undefined && isOrigin(coordinates)) && coordinates),
  };
  return isOdd ? { claim, notes: ['coordinates'] } : { claim };
}

interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

function isOrigin(coordinates: Coordinates | undefined): boolean {
  return coordinates?.latitude === 0 && coordinates.longitude === 0;
}

function readCoordinates(latitudeText = '', longitudeText = ''): Coordinates | 'odd' | undefined {
  const texts = [presentText(latitudeText), presentText(longitudeText)] as const;
  if (texts[0] === undefined && texts[1] === undefined) return undefined;
  const latitude = readDegrees(texts[0], 90);
  const longitude = readDegrees(texts[1], 180);
  return latitude === undefined || longitude === undefined ? 'odd' : { latitude, longitude };
}

/**
 * Decimal degrees within `-bound..bound`, to a millionth (0.1 m): some publishers write 15 digits, and tiny numbers
 * with an exponent.
 */
function readDegrees(text: string | undefined, bound: number): number | undefined {
  if (text === undefined || !/^-?\d{1,3}(\.\d+)?(e-\d{1,2})?$/i.test(text)) return undefined;
  const value = Number(text);
  // -0 and 0 are one place.
  return Math.abs(value) <= bound ? Math.round(value * PARTS) / PARTS + 0 : undefined;
}

const PARTS = 1e6;
