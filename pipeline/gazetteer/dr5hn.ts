import type { OpenFile } from '../input/published-source.js';
import { parseCountry } from '../input/names/iso3166.js';
import type { Tally } from '../input/tally.js';
import { isHan } from './place-name.js';
import { readTabRows } from './tab-rows.js';

/** A city of the dr5hn database with a Chinese name. */
export interface Dr5hnCity {
  readonly country: string;
  /** ISO 3166-2, if the state code of the source is one. */
  readonly region: string;
  readonly name: string;
  readonly zh: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** A subdivision of the dr5hn database. */
export interface Dr5hnState {
  /** ISO 3166-2. */
  readonly code: string;
  readonly country: string;
  readonly name: string;
  /** Absent if the source has none, or one truncated to one character. */
  readonly zh: string | undefined;
}

/** The Chinese names of the dr5hn database (https://github.com/dr5hn/countries-states-cities-database). */
export class Dr5hnRows {
  readonly cities: Dr5hnCity[] = [];
  readonly states: Dr5hnState[] = [];

  /** Reads `dr5hn-cities-zh.tsv`. Ignores its names in local languages, which are machine translations. */
  async readCities(file: OpenFile, tally: Tally): Promise<void> {
    await readTabRows(file, {
      columns: 11,
      header: 'id\tcountry\tstate_code\tname\tnative\tzh_cn\tlat\tlon\tpopulation\ttimezone\ttype',
      entry: file.name,
      tally,
      row: ([, code = '', state = '', name = '', , zh = '', latitude, longitude]) => {
        const country = parseCountry(code);
        if (country === undefined) return 'country';
        if (!isChineseName(zh)) return true;
        const point = { latitude: Number(latitude), longitude: Number(longitude) };
        this.cities.push({ country, region: `${country}-${state}`, name: unquoted(name), zh, ...point });
        return true;
      },
    });
  }

  /** Reads `dr5hn-states-zh.tsv`. */
  async readStates(file: OpenFile, tally: Tally): Promise<void> {
    await readTabRows(file, {
      columns: 9,
      header: 'id\tcountry\tiso3166_2\tname\tnative\tzh_cn\tlat\tlon\ttype',
      entry: file.name,
      tally,
      row: ([, country = '', code = '', name = '', , zh = '']) => {
        if (parseCountry(country) === undefined) return 'country';
        if (!/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code) || !code.startsWith(country)) return true;
        this.states.push({ code, country, name: unquoted(name), zh: isChineseName(zh) ? zh : undefined });
        return true;
      },
    });
  }
}

/** Some names of the source are truncated: 广 for 广州. */
function isChineseName(name: string): boolean {
  return name.length > 1 && isHan(name);
}

function unquoted(name: string): string {
  return name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}
