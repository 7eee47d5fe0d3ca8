import type { OpenFile } from '../input/published-source.js';
import { parseCountry } from '../input/names/iso3166.js';
import type { Tally } from '../input/tally.js';
import { isHan } from './place-name.js';
import { readTabRows } from './tab-rows.js';

/** A populated place of a GeoNames cities file. */
export interface GeonamesCity {
  readonly id: number;
  readonly name: string;
  readonly asciiName: string;
  /** Other names in any language. */
  readonly alternates: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The GeoNames code of the first-level division, mostly FIPS; absent for none (`00`). */
  readonly admin1: string | undefined;
  readonly timeZone: string | undefined;
  /** Absent if unknown (`0`). */
  readonly population: number | undefined;
  /** A section of a populated place (PPLX). */
  readonly isSection: boolean;
}

/** A first-level division of GeoNames. */
export interface GeonamesDivision {
  readonly id: number;
  readonly country: string;
  /** The GeoNames code, mostly FIPS. */
  readonly code: string;
  readonly name: string;
  readonly asciiName: string;
}

/** The names of one place in `alternateNamesV2`. */
export interface AlternateNames {
  /** The best English and Chinese name; lower `rank` is better. */
  readonly best: Partial<Record<'en' | 'zh-CN', { readonly name: string; readonly rank: number }>>;
  /** Every name in Latin or Chinese letters. */
  readonly all: string[];
}

/** The content of GeoNames dumps (https://download.geonames.org/export/dump/readme.txt). */
export class GeonamesRows {
  readonly cities = new Map<number, GeonamesCity>();
  readonly divisions: GeonamesDivision[] = [];
  /** Names by place id, only of places in `wanted`. */
  readonly alternates = new Map<number, AlternateNames>();

  /** Reads `cities500` or `cities15000` without historical, abandoned and destroyed places (PPLH, PPLQ, PPLW). */
  async readCities(file: OpenFile, tally: Tally): Promise<void> {
    await readTabRows(file, {
      columns: 19,
      entry: `${nameWithoutExtension(file)}.txt`,
      tally,
      row: (fields) => {
        const city = cityOf(fields);
        if (typeof city === 'string') return city;
        if (!GONE.has(fields[7]!) && !this.cities.has(city.id)) this.cities.set(city.id, city);
        return true;
      },
    });
  }

  /** Reads `admin1CodesASCII.txt`. */
  async readDivisions(file: OpenFile, tally: Tally): Promise<void> {
    await readTabRows(file, {
      columns: 4,
      entry: file.name,
      tally,
      row: ([key = '', name = '', asciiName = '', id = '']) => {
        const country = parseCountry(key.slice(0, 2));
        // Old dumps still list Serbia and Montenegro (CS) and the Netherlands Antilles (AN).
        if (country === undefined) return 'country';
        if (!isId(id) || key[2] !== '.') return 'columns';
        this.divisions.push({ id: Number(id), country, code: key.slice(3), name, asciiName });
        return true;
      },
    });
  }

  /** Checks the layout of `countryInfo.txt`. Its content is not used. */
  async readCountries(file: OpenFile, tally: Tally): Promise<void> {
    await readTabRows(file, {
      columns: 19,
      entry: file.name,
      tally,
      row: ([code = '']) => (parseCountry(code) === undefined ? 'country' : true),
    });
  }

  /** Reads `alternateNamesV2` (15 M rows) and keeps the rows of places in `wanted`. */
  async readAlternates(file: OpenFile, tally: Tally, wanted: ReadonlySet<number>): Promise<void> {
    await readTabRows(file, {
      columns: 10,
      entry: `${nameWithoutExtension(file)}.txt`,
      tally,
      wanted: (line) => {
        const start = line.indexOf('\t') + 1;
        return wanted.has(Number(line.slice(start, line.indexOf('\t', start))));
      },
      row: (fields) => {
        if (!isId(fields[1]!)) return 'columns';
        this.#alternate(fields);
        return true;
      },
    });
  }

  #alternate(fields: readonly string[]): void {
    const [, id, language = '', name = '', isPreferred, isShort, isColloquial, isHistoric] = fields;
    if (NO_LANGUAGE.has(language) || isColloquial === '1' || isHistoric === '1' || !isReadable(name)) return;
    let names = this.alternates.get(Number(id));
    if (names === undefined) this.alternates.set(Number(id), (names = { best: {}, all: [] }));
    names.all.push(name);
    const locale = language === 'en' ? 'en' : CHINESE_RANK[language] === undefined ? undefined : 'zh-CN';
    if (locale === undefined) return;
    if (locale === 'zh-CN' && (!isHan(name) || TRADITIONAL.test(name))) return;
    const rank =
      (CHINESE_RANK[language] ?? 0) * 4 + (isPreferred === '1' ? 0 : 2) + (isShort === '1' ? 0 : 1);
    if (rank < (names.best[locale]?.rank ?? Infinity)) names.best[locale] = { name, rank };
  }
}

/** Frequent traditional Chinese characters. Names with them are for matching only. */
export const TRADITIONAL =
  /[縣臺灣區鄉鎮門國廣島東馬爾亞維倫蘭羅聖納約魯應龍雲陽濟寧貝諾賓戶庫車裡賴薩漢達連岡橋烏紐倉華萬傑頓喬鹽勞費圖場奧莊葉邁鮑蓋賽錫銀鐵鋼長營湯溫澤滿濱瑪瓊紅綠聯舊貢賀遜銅錦開關雙頭風飛魚鳳麥黃齊義慶榮豐興畢盧]/u;

const GONE: ReadonlySet<string> = new Set(['PPLH', 'PPLQ', 'PPLW']);

/** Values of the language column in rows that are not names. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(
  'link post wkdt iata icao faac abbr unlc fr_1793 tcid phon piny'.split(' '),
);

/** Language codes of simplified Chinese, the most reliable first. Traditional Chinese is for matching only. */
const CHINESE_RANK: Readonly<Record<string, number>> = { 'zh-CN': 0, 'zh-Hans': 1, zh: 2 };

/** Whether a name is in Latin or Chinese script, the scripts of the feeds. */
export function isReadable(name: string): boolean {
  return (
    /^(?:[\p{Script=Latin}\p{Script=Han}\p{N}\p{P}\p{M}\p{Sk}\s]|[\u02b0-\u02ff])+$/u.test(name) &&
    name.length > 1
  );
}

function cityOf(fields: readonly string[]): GeonamesCity | 'country' | 'columns' {
  const [id = '', name = '', asciiName = '', alternates = '', latitude, longitude, , code] = fields;
  const country = parseCountry(fields[8]!);
  if (country === undefined) return 'country';
  const point = { latitude: Number(latitude), longitude: Number(longitude) };
  const population = Number(fields[14]);
  if (!isId(id) || name === '' || latitude === '' || longitude === '') return 'columns';
  if (!(Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180)) return 'columns';
  if (!Number.isSafeInteger(population) || population < 0) return 'columns';
  const admin1 = fields[10]!;
  return {
    id: Number(id),
    name,
    asciiName,
    alternates: alternates === '' ? [] : alternates.split(',').filter(isReadable),
    ...point,
    country,
    admin1: admin1 === '' || admin1 === '00' ? undefined : admin1,
    timeZone: fields[17] === '' ? undefined : fields[17],
    population: population === 0 ? undefined : population,
    isSection: code === 'PPLX',
  };
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text);
}

function nameWithoutExtension(file: OpenFile): string {
  return file.name.slice(0, file.name.lastIndexOf('.'));
}
