import { COUNTRY_NAMES } from './country-name-table.js';

/**
 * Returns the ISO 3166-1 alpha-2 code of a country by its name in English or simplified Chinese. Case, diacritics,
 * spaces and punctuation are ignored. 香港, 澳门 and 台湾省 are HK, MO and TW. Returns undefined for other texts.
 */
export function countryNamed(name: string): string | undefined {
  return codeByName.get(fold(name));
}

/** Whether a text names a group of countries instead of a country (欧洲, 亚太地区). */
export function namesManyCountries(text: string): boolean {
  return MANY_COUNTRIES.has(fold(text));
}

/** A country name at the beginning of a text. */
export interface LeadingCountry {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The text after the name. */
  readonly rest: string;
}

/** Splits a text after the longest Chinese country name at its beginning. Returns undefined without such a name. */
export function cutLeadingCountry(text: string): LeadingCountry | undefined {
  const head = text.slice(0, longestChineseName).replace(/（/gu, '(').replace(/）/gu, ')');
  for (let length = head.length; length > 0; length--) {
    const country = codeByChineseName.get(head.slice(0, length));
    if (country !== undefined) return { country, rest: text.slice(length) };
  }
  return undefined;
}

const MANY_COUNTRIES: ReadonlySet<string> = new Set(
  // prettier-ignore
  [
    '欧洲', '亚太', '非洲', '北美', '拉美', '亚洲', '南美', '大洋洲', '中东', '美洲地区',
    '欧洲地区', '亚太地区', '非洲地区', '北美地区', '拉美地区', '亚洲地区', '南美地区', '大洋洲地区',
    'Europe', 'Asia/Pacific Region', 'Africa', 'Asia', 'North America', 'South America', 'Oceania',
  ].map(fold),
);

const named = Object.entries(COUNTRY_NAMES).flatMap(([code, names]) =>
  names.split('|').map((name) => ({ code, name })),
);
const codeByName: ReadonlyMap<string, string> = new Map(named.map(({ code, name }) => [fold(name), code]));
const codeByChineseName: ReadonlyMap<string, string> = new Map(
  named.filter(({ name }) => /\p{Script=Han}/u.test(name)).map(({ code, name }) => [name, code]),
);
const longestChineseName = Math.max(...[...codeByChineseName.keys()].map((name) => name.length));

function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[\s.,'\u2018\u2019()-]/gu, '');
}
