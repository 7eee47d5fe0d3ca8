import type { FieldPath, FieldReader } from '../mmdb/field-reader.js';
import type { Blocks } from './geolite2-blocks.js';

const LANGUAGES = ['en', 'zh-CN'] as const;

const NAMED = ['city', 'subdivisions', 'country', 'continent'] as const;
const pathOf = (part: string): FieldPath => (part === 'subdivisions' ? [part, 0] : [part]);

/** The fields that the rows are made of, in groups. */
const PATHS: readonly FieldPath[] = [
  ...NAMED.map((part) => [...pathOf(part), 'geoname_id']),
  ['registered_country', 'geoname_id'],
  ...['latitude', 'longitude', 'accuracy_radius', 'time_zone'].map((field) => ['location', field]),
  ['traits', 'is_anycast'],
  ['continent', 'code'],
  ['country', 'iso_code'],
  ['subdivisions', 0, 'iso_code'],
  ...LANGUAGES.flatMap((language) => NAMED.map((part) => [...pathOf(part), 'names', language])),
];

/** Positions of groups of PATHS. */
const AT = { registered: 4, location: 5, timeZone: 8, anycast: 9, codes: 10, names: 13 } as const;

const BLOCK_COLUMNS = {
  City: [
    ...['geoname_id', 'registered_country_geoname_id', 'represented_country_geoname_id'],
    ...['is_anonymous_proxy', 'is_satellite_provider', 'postal_code', 'latitude', 'longitude'],
    ...['accuracy_radius', 'is_anycast'],
  ],
  Country: [
    ...['geoname_id', 'registered_country_geoname_id', 'represented_country_geoname_id'],
    ...['is_anonymous_proxy', 'is_satellite_provider', 'is_anycast'],
  ],
} as const;

const LOCATION_COLUMNS = {
  City: [
    ...['geoname_id', 'locale_code', 'continent_code', 'continent_name', 'country_iso_code', 'country_name'],
    ...['subdivision_1_iso_code', 'subdivision_1_name', 'subdivision_2_iso_code', 'subdivision_2_name'],
    ...['city_name', 'metro_code', 'time_zone', 'is_in_european_union'],
  ],
  Country: [
    ...['geoname_id', 'locale_code', 'continent_code', 'continent_name', 'country_iso_code', 'country_name'],
    'is_in_european_union',
  ],
} as const;

/** The members of the European Union, ISO 3166-1 (https://european-union.europa.eu/principles-countries-history_en). */
const EUROPEAN_UNION: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** The Blocks and Locations of GeoLite2 City or Country. Locations are collected while blocks are written. */
export class CityBlocks implements Blocks {
  readonly columns: readonly string[];
  readonly #fields: FieldReader<string>;
  readonly #level: 'City' | 'Country';
  /** Rows of Locations by id, one per language. */
  readonly #locations = new Map<string, readonly string[]>();

  constructor(open: (paths: readonly FieldPath[]) => FieldReader<string>, level: 'City' | 'Country') {
    this.columns = BLOCK_COLUMNS[level];
    this.#fields = open(PATHS);
    this.#level = level;
  }

  readonly lineOf = (offset: number): string => {
    this.#fields.read(offset);
    const { values } = this.#fields;
    const from = this.#level === 'City' ? 0 : 2;
    // The most detailed place with an id; without one, the id is empty.
    const finest = values.findIndex((id, at) => at >= from && at < NAMED.length && id !== '');
    const id = finest < 0 ? '' : values[finest]!;
    const registered = values[AT.registered]!;
    if (id !== '' && !this.#locations.has(id)) this.#locations.set(id, this.#rowsOf(id, finest));
    const anycast = values[AT.anycast]!;
    if (this.#level === 'Country') return `${id},${registered},,0,0,${anycast}`;
    const [latitude, longitude, radius] = values.slice(AT.location);
    return `${id},${registered},,0,0,,${latitude!},${longitude!},${radius!},${anycast}`;
  };

  /** Returns the Locations files by name, sorted by id. */
  locations(): Map<string, Iterable<string>> {
    const header = LOCATION_COLUMNS[this.#level].join(',');
    const sorted = [...this.#locations].sort(([a], [b]) => Number(a) - Number(b));
    return new Map(
      LANGUAGES.map((language, at) => [
        `GeoLite2-${this.#level}-Locations-${language}.csv`,
        [header, ...sorted.map(([, rows]) => rows[at]!)],
      ]),
    );
  }

  /** The row of a place in each language: its own names and those of the places around it. */
  #rowsOf(id: string, finest: number): string[] {
    const { values } = this.#fields;
    const [continentCode, countryCode, regionCode] = values.slice(AT.codes) as [string, string, string];
    const union = EUROPEAN_UNION.has(countryCode) ? '1' : '0';
    return LANGUAGES.map((language, at) => {
      const names = values.slice(AT.names + at * NAMED.length, AT.names + (at + 1) * NAMED.length);
      // Names of smaller places belong to other ids.
      const [city, region, country, continent] = names.map((name, part) => (part < finest ? '' : name));
      const code = finest <= 2 ? countryCode : '';
      const outer = [id, language, continentCode, continent, code, country];
      if (this.#level === 'Country') return [...outer, union].join(',');
      const inner = [finest <= 1 ? regionCode : '', region, '', '', city, '', values[AT.timeZone], union];
      return [...outer, ...inner].join(',');
    });
  }
}
