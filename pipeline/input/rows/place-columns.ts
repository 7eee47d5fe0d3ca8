import type { Claim } from '../claims/claim.js';
import type { ColumnsRead } from '../claims/columns-read.js';
import { hasRegions, namesNoCountry, parseCountry } from '../names/iso3166.js';
import { presentText } from '../names/stated-region.js';

/** The location columns of a row, as published. An empty text or a dash means unknown. */
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
 * Reads country, region, city and coordinates. The region of Hong Kong and Macao is dropped: feeds give a district
 * there. 0,0 without a city is a placeholder. Incomplete coordinates and coordinates out of range are dropped. A code
 * that is not a country is rejected as `country`.
 */
export function readPlace(text: PlaceText): ColumnsRead {
  const code = presentText(text.country) ?? '';
  const country = parseCountry(code);
  if (country === undefined && !namesNoCountry(code)) return { refused: 'country' };
  const mayHaveRegion = country === undefined || hasRegions(country);
  const regionName = mayHaveRegion ? presentText(text.regionName) : undefined;
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
 * Parses decimal degrees in `-bound..bound`, rounded to a millionth (0.1 m). Some publishers write 15 digits, and very
 * small numbers with an exponent.
 */
function readDegrees(text: string | undefined, bound: number): number | undefined {
  if (text === undefined || !/^-?\d{1,3}(\.\d+)?(e-\d{1,2})?$/i.test(text)) return undefined;
  const value = Number(text);
  // + 0 turns -0 into 0.
  return Math.abs(value) <= bound ? Math.round(value * PARTS) / PARTS + 0 : undefined;
}

const PARTS = 1e6;
