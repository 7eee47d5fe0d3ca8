import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import { readLocations, type GeoLite2Location } from '../feeds/geolite2-locations.js';
import { withZip } from '../feeds/zip-archive.js';
import { Gazetteer, type Place, type PlaceNames, type Region } from './gazetteer.js';

/**
 * Makes the gazetteer from the Locations of the GeoLite2 City CSV zip among `files`. Rows that cannot be read are
 * left out without a word here: the geolite2 feed, which reads the same file, counts them.
 * Throws FeedError `missing` when the zip is not among the files, and what the zip and its headers throw.
 */
export async function readGazetteer(files: readonly OpenFile[]): Promise<Gazetteer> {
  const zip = files.find(
    ({ folder, name }) => folder === 'geolite2' && name.startsWith('GeoLite2-City-CSV_'),
  );
  if (zip === undefined)
    throw new FeedError('missing', 'geolite2/GeoLite2-City-CSV_*.zip', 'no GeoLite2 City CSV zip');
  const draft = new Draft();
  await withZip(zip, async (archive) => {
    for (const locale of LOCALES) {
      await readLocations(zip, archive, locale, {
        location: (location) => {
          draft.add(location, locale);
        },
        bad: () => undefined,
      });
    }
  });
  return draft.finish();
}

const LOCALES = ['en', 'zh-CN'] as const;
type Locale = (typeof LOCALES)[number];

interface Named {
  names: { -readonly [locale in keyof PlaceNames]: PlaceNames[locale] };
}
type Drafted<T> = { -readonly [key in keyof Omit<T, 'names'>]: T[key] } & Named;

/**
 * Collects rows, the English ones first: they decide what a place is, because a row of another language has no city
 * name where that language has none.
 */
class Draft {
  readonly #continents = new Map<string, { code: string } & Named>();
  readonly #regions = new Map<string, Drafted<Region>>();
  readonly #places = new Map<string, Drafted<Place>>();

  add(location: GeoLite2Location, locale: Locale): void {
    const { continent: code, country, region } = location;
    if (/^[A-Z]{2}$/.test(code)) {
      name(
        entryOf(this.#continents, code, () => ({ code, names: {} })),
        locale,
        location.continentName,
      );
    }
    if (typeof country !== 'string' || !/^[1-9]\d{0,9}$/.test(location.id)) return;
    if (locale === 'en') this.#place(location, country);
    const place = this.#places.get(location.id);
    if (place !== undefined) name(place, locale, nameOf(location, place.kind));
    if (region !== undefined) {
      name(
        entryOf(this.#regions, region, () => ({ code: region, country, names: {} })),
        locale,
        location.regionName,
      );
    }
  }

  finish(): Gazetteer {
    for (const { id, kind, region } of this.#places.values()) {
      const held = kind === 'region' && region !== undefined ? this.#regions.get(region) : undefined;
      if (held !== undefined) held.id ??= id;
    }
    return new Gazetteer({
      continents: [...this.#continents.values()],
      regions: [...this.#regions.values()],
      places: [...this.#places.values()],
    });
  }

  /** Districts are no places of ours; a continent has no country. */
  #place({ id, kind, continent, region, timeZone }: GeoLite2Location, country: string): void {
    if (kind === 'district' || kind === 'continent') return;
    entryOf(this.#places, id, () => ({
      id: Number(id),
      kind,
      continent,
      country,
      ...(region !== undefined && { region }),
      ...(timeZone !== undefined && { timeZone }),
      names: {},
    }));
  }
}

/** The name a row gives a place. */
function nameOf(location: GeoLite2Location, kind: Place['kind']): string | undefined {
  switch (kind) {
    case 'city':
      return location.cityName;
    case 'region':
      return location.regionName;
    case 'country':
      return location.countryName;
  }
}

function name(named: Named, locale: Locale, text: string | undefined): void {
  if (text !== undefined) named.names[locale] ??= text;
}

function entryOf<T>(entries: Map<string, T>, key: string, make: () => T): T {
  const held = entries.get(key);
  if (held !== undefined) return held;
  const made = make();
  entries.set(key, made);
  return made;
}
