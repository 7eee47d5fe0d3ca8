import { chinaRegionNamed } from './china-regions.js';
import type { Claim } from '../claims/claim.js';
import { countryNamed } from './country-names.js';
import { hasRegions } from './iso3166.js';

/** The texts of a place inside its country. */
export interface PlaceTexts {
  readonly region?: string | undefined;
  readonly city?: string | undefined;
  readonly district?: string | undefined;
}

/**
 * Returns the claim for a place in the texts of a Chinese publisher. Regions (ISO 3166-2) of China become codes; other
 * texts are kept. Hong Kong, Macao and Taiwan are countries even where the publisher lists them under China; Hong Kong
 * and Macao have no regions. A Chinese region text that repeats the country is ignored.
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
    // Hong Kong and Macao are also cities, Taiwan is not.
    ...(city !== undefined && !(country === 'TW' && repeats(city, country)) && { cityName: city }),
    ...(district !== undefined && { districtName: district }),
  };
}

const TERRITORIES: ReadonlySet<string> = new Set(['HK', 'MO', 'TW']);

function territoryNamed(text: string | undefined): string | undefined {
  const country = text === undefined ? undefined : countryNamed(text);
  return country !== undefined && TERRITORIES.has(country) ? country : undefined;
}

/** Whether a Chinese text is the name of the country. In English a region may have its name: Mexico, Luxembourg. */
function repeats(text: string | undefined, country: string): boolean {
  return text !== undefined && /\p{Script=Han}/u.test(text) && countryNamed(text) === country;
}
