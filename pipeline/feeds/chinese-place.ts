import { chinaRegionNamed } from './china-regions.js';
import type { Claim } from './claim.js';
import { countryNamed } from './country-names.js';

/** The texts of a place below its country, absent where the feed has none. */
export interface PlaceTexts {
  readonly region?: string | undefined;
  readonly city?: string | undefined;
  readonly district?: string | undefined;
}

/**
 * What a Chinese publisher says about a place. Provinces of China become ISO 3166-2 codes, other texts stay. Hong
 * Kong, Macao and Taiwan are countries whatever they are filed under; the first two have no regions. A Chinese
 * region text that repeats the country says nothing.
 */
export function claimPlace(country: string, { region, city, district }: PlaceTexts): Claim {
  if (country === 'CN') {
    const territory = territoryNamed(region) ?? (region === undefined ? territoryNamed(city) : undefined);
    if (territory !== undefined) return claimPlace(territory, { city, district });
  }
  const code = country === 'CN' && region !== undefined ? chinaRegionNamed(region)?.code : undefined;
  const text = hasRegions(country) && !repeats(region, country) ? region : undefined;
  return {
    country,
    ...(code !== undefined && { region: code }),
    ...(code === undefined && text !== undefined && { regionName: text }),
    // Taiwan is no city; Hong Kong and Macao are.
    ...(city !== undefined && !(country === 'TW' && repeats(city, country)) && { cityName: city }),
    ...(district !== undefined && { districtName: district }),
  };
}

const TERRITORIES: ReadonlySet<string> = new Set(['HK', 'MO', 'TW']);

function territoryNamed(text: string | undefined): string | undefined {
  const country = text === undefined ? undefined : countryNamed(text);
  return country !== undefined && TERRITORIES.has(country) ? country : undefined;
}

function hasRegions(country: string): boolean {
  return country !== 'HK' && country !== 'MO';
}

/** In English the region may well be called as its country: Mexico, Luxembourg, Guatemala. */
function repeats(text: string | undefined, country: string): boolean {
  return text !== undefined && /\p{Script=Han}/u.test(text) && countryNamed(text) === country;
}
