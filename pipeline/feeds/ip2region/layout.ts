import { parseCountry } from '../../input/names/iso3166.js';
import { countryNamed } from '../../input/names/country-names.js';

/** The field positions of an ip2region file, which has no header. The first three are start, end and country. */
export interface Ip2regionLayout {
  readonly width: 6 | 7;
  readonly region: number;
  readonly city: number;
  readonly isp: number;
  /** The position of a field that is always `0`. */
  readonly alwaysZero?: number;
  /** The position of the country code: ISO 3166-1 alpha-2, or `0`. */
  readonly code?: number;
}

/** `start|end|国家|省份|城市|ISP|iso2`, since 2026. */
const CODED: Ip2regionLayout = { width: 7, region: 3, city: 4, isp: 5, code: 6 };
/** `start|end|国家|区域|省份|城市|ISP`, up to 2.x. */
const WITH_AREA: Ip2regionLayout = { width: 7, alwaysZero: 3, region: 4, city: 5, isp: 6 };
/** `start|end|国家|省份|城市|ISP`, 2025. */
const PLAIN: Ip2regionLayout = { width: 6, region: 3, city: 4, isp: 5 };

export const START = 0;
export const END = 1;
export const COUNTRY = 2;

/** The number of rows that decide the layout. */
export const SAMPLE_ROWS = 1000;

/** Whether a row fits a layout. */
export function fitsLayout(fields: readonly string[], { width, alwaysZero, code }: Ip2regionLayout): boolean {
  if (fields.length !== width) return false;
  if (alwaysZero !== undefined && fields[alwaysZero] !== '0') return false;
  return code === undefined || CODE_OR_ZERO.test(fields[code]!);
}

/**
 * Returns the layout that fits most of the first rows. Returns undefined when it fits at most half of them, or when
 * two layouts fit equally many.
 */
export function decideLayout(sample: readonly (readonly string[])[]): Ip2regionLayout | undefined {
  const fits: { layout: Ip2regionLayout; rows: number }[] = [
    { layout: CODED, rows: sample.filter((fields) => fitsLayout(fields, CODED)).length },
    {
      layout: WITH_AREA,
      rows: sample.filter((fields) => fitsLayout(fields, WITH_AREA) && !endsInItsCode(fields)).length,
    },
    { layout: PLAIN, rows: sample.filter((fields) => fitsLayout(fields, PLAIN)).length },
  ];
  fits.sort((a, b) => b.rows - a.rows);
  const [best, second] = fits;
  if (best!.rows * 2 <= sample.length || best!.rows === second!.rows) return undefined;
  return best!.layout;
}

const CODE_OR_ZERO = /^(?:[A-Z]{2}|0|)$/;

/** Whether the last field is the code of the row's country, and not an ISP with two letters (XL, BT). */
function endsInItsCode(fields: readonly string[]): boolean {
  const code = parseCountry(fields.at(-1)!);
  if (code === undefined) return false;
  const country = countryNamed(fields[COUNTRY]!);
  return code === country || (country === 'CN' && ['HK', 'MO', 'TW'].includes(code));
}
