import { claimPlace } from '../../input/names/chinese-place.js';
import type { Claim } from '../../input/claims/claim.js';
import { countryNamed, namesManyCountries } from '../../input/names/country-names.js';
import { COUNTRY, type Ip2regionLayout } from './layout.js';
import { namesNoCountry, parseCountry } from '../../input/names/iso3166.js';

/**
 * Reads the claim of a row that fits the layout, or returns the reason why the row is rejected. Region and city are
 * dropped without a country; the ISP is kept.
 */
export function readRowClaim(fields: readonly string[], layout: Ip2regionLayout): Claim | 'country' {
  const country = countryOf(
    textOf(fields[COUNTRY]!),
    layout.code === undefined ? undefined : textOf(fields[layout.code]!),
  );
  if (country === 'refused') return 'country';
  const region = textOf(fields[layout.region]!);
  const city = textOf(fields[layout.city]!);
  const isp = textOf(fields[layout.isp]!);
  return {
    ...(country !== 'none' && claimPlace(country, { region, city })),
    ...(isp !== undefined && { isp }),
  };
}

/**
 * Returns the country of a row: its code, where the layout has one, else the country of its name. Hong Kong, Macao and
 * Taiwan may be listed under China in either of them; the other one then decides.
 */
function countryOf(text: string | undefined, code: string | undefined): string {
  const named = text === undefined ? undefined : countryNamed(text);
  const coded = code === undefined || namesNoCountry(code) ? undefined : (parseCountry(code) ?? 'refused');
  if (coded !== undefined && !(coded === 'CN' && named !== undefined)) return coded;
  if (named !== undefined) return named;
  return text === undefined || namesManyCountries(text) ? (coded ?? 'none') : (coded ?? 'refused');
}

const PLACEHOLDERS: ReadonlySet<string> = new Set(['', '0', '-', '内网IP', 'Reserved']);

function textOf(field: string): string | undefined {
  const text = field.trim();
  return PLACEHOLDERS.has(text) ? undefined : text;
}
