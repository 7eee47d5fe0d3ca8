import type { Claim } from '../../input/claims/claim.js';
import { parseCountry } from '../../input/names/iso3166.js';
import { presentText } from '../../input/names/stated-region.js';
import type { PeeringObject } from '../../input/peeringdb/objects.js';

/** An internet exchange as its operator describes it. */
export type Exchange = Pick<PeeringObject<'ix'>, 'name' | 'name_long' | 'city' | 'country'>;

/** A text after a city that is a code and no second city: `São Paulo/SP`, `Billings, MT`. */
const CODE_AFTER_CITY = /\s*[/,]\s*[A-Z]{2,3}$/;
/** Signs and words between the names of several places. */
const SEVERAL = /[/,;&+|()]|\s-\s|\sand\s/i;
/** Words in the names of exchanges that are in several cities. */
const WIDE_AREA = /\b(?:global|wide|distributed|europe|eurasia)\b/i;

/**
 * Returns the place of an exchange's LAN. An exchange in several cities has only its country, and so has one with
 * something else after the city (`Eugene, Oregon`). Returns undefined without a country.
 */
export function placeOfExchange({ name, name_long, city, country }: Exchange): Claim | undefined {
  const code = parseCountry(country);
  if (code === undefined) return undefined;
  const cityName = presentText(city.replace(CODE_AFTER_CITY, ''));
  const isOneCity = cityName !== undefined && !SEVERAL.test(cityName);
  const hasCity = isOneCity && !WIDE_AREA.test(name) && !WIDE_AREA.test(name_long);
  return { country: code, ...(hasCity && { cityName }), basis: 'exchange' };
}
