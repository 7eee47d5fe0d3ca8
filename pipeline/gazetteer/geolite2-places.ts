import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import { readLocations, type GeoLite2Location } from '../feeds/geolite2/locations.js';
import type { Tally } from '../input/tally.js';
import { withZip } from '../input/containers/zip-archive.js';
import type { PlaceNames } from './place.js';

/** A city, region or country of GeoLite2's Locations, with names in both languages. */
export interface GeoLite2Place {
  readonly id: number;
  readonly kind: 'country' | 'region' | 'city';
  readonly country: string;
  /** ISO 3166-2. */
  readonly region: string | undefined;
  readonly timeZone: string | undefined;
  readonly names: PlaceNames;
}

/** The places and names of regions in GeoLite2's Locations. */
export interface GeoLite2Rows {
  readonly places: ReadonlyMap<number, GeoLite2Place>;
  /** Names of regions by ISO 3166-2 code. */
  readonly regions: ReadonlyMap<string, PlaceNames>;
}

/**
 * Reads the English and Chinese Locations of a GeoLite2 City CSV zip, and decompresses the other entries to verify the
 * whole zip. Throws FeedError `tolerance` if more than 1 % of the rows are rejected, and the errors of zip and headers.
 */
export async function readGeoLite2(file: OpenFile, tally: Tally): Promise<GeoLite2Rows> {
  const draft = new Draft();
  await withZip(file, async (archive) => {
    for (const locale of ['en', 'zh-CN'] as const) {
      await readLocations(file, archive, locale, {
        location: (location) => {
          draft.add(location, locale);
          tally.accept();
        },
        bad: (reason, line, excerpt) => {
          tally.reject(reason, line, excerpt);
        },
      });
    }
    for (const entry of archive.names.filter((name) => name.includes('-Blocks-'))) {
      await unpack(archive.read(entry));
    }
  });
  if (tally.rejected > tally.rows * TOLERANCE) {
    throw new FeedError(
      'tolerance',
      file.id,
      `${tally.rejected} of ${tally.rows} locations rejected, allowed: 1 %`,
    );
  }
  return draft;
}

/** Reads an entry to its end, which verifies its size and checksum. */
async function unpack(chunks: AsyncIterable<Buffer>): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}

const TOLERANCE = 0.01;

type Names = { -readonly [locale in keyof PlaceNames]: PlaceNames[locale] };

/** Collects rows. The kind of a place comes from the English row, because rows in other languages may lack names. */
class Draft implements GeoLite2Rows {
  readonly places = new Map<number, GeoLite2Place & { readonly names: Names }>();
  readonly regions = new Map<string, Names>();

  add(location: GeoLite2Location, locale: 'en' | 'zh-CN'): void {
    const { country, kind } = location;
    if (typeof country !== 'string' || !/^[1-9]\d{0,9}$/.test(location.id)) return;
    if (locale === 'en' && kind !== 'district' && kind !== 'continent') this.#place(location, kind, country);
    const place = this.places.get(Number(location.id));
    if (place !== undefined) name(place.names, locale, NAME_OF[place.kind](location));
    // The English row has the corrected code.
    const region = locale === 'en' ? location.region : place?.region;
    if (region === undefined) return;
    let names = this.regions.get(region);
    if (names === undefined) this.regions.set(region, (names = {}));
    name(names, locale, location.regionName);
  }

  #place({ id, region, timeZone }: GeoLite2Location, kind: GeoLite2Place['kind'], country: string): void {
    if (this.places.has(Number(id))) return;
    this.places.set(Number(id), { id: Number(id), kind, country, region, timeZone, names: {} });
  }
}

/** Returns the name of a row for a place of a kind. */
const NAME_OF: Readonly<Record<GeoLite2Place['kind'], (location: GeoLite2Location) => string | undefined>> = {
  city: (location) => location.cityName,
  region: (location) => location.regionName,
  country: (location) => location.countryName,
};

function name(names: Names, locale: 'en' | 'zh-CN', text: string | undefined): void {
  if (text !== undefined) names[locale] ??= text;
}
