import { continentOf, hasRegions } from '../input/names/iso3166.js';
import { chinesePrefectures } from './china.js';
import { regionOfWholeCity } from './city-regions.js';
import { withoutRegionWord } from './city-suffixes.js';
import { chineseCityNames } from './city-names-zh.js';
import { commonCityNames } from './common-names.js';
import { distanceKm } from './distance.js';
import { alternatesOf, entryOf, isChineseName, isDefined, namesOf } from './draft-names.js';
import type { Dr5hnCity } from './dr5hn.js';
import { TRADITIONAL, type GeonamesCity } from './geonames.js';
import type { GeoLite2Place } from './geolite2-places.js';
import { divisionKey } from './iso-regions.js';
import type { Place } from './place.js';
import { foldName } from './place-name.js';
import type { SourceRows } from './source-rows.js';
import { Transliterations } from './transliterations.js';

/**
 * Composes the cities of all sources, each once. `isoByDivision` maps GeoNames divisions to regions, and `regionNames`
 * contains the Chinese names of regions.
 */
export function composeCities(
  rows: SourceRows,
  isoByDivision: ReadonlyMap<string, string>,
  regionNames: ReadonlyMap<string, string | undefined>,
): Place[] {
  const drafts = new CityDrafts(rows);
  drafts.draft(isoByDivision);
  drafts.nameCommonly();
  drafts.nameFromDr5hn();
  drafts.omitRegionWords(regionNames);
  drafts.nameChinesePrefectures();
  return drafts.places();
}

/** The inhabitants of a city that has an established Chinese name, such as 仰光 for Yangon. */
const LARGE_CITY = 500_000;

/** The maximum distance between the positions of one city in two sources. */
const SAME_PLACE_KM = 50;

interface CityDraft {
  readonly id: number;
  readonly country: string;
  readonly geonames: GeonamesCity | undefined;
  readonly geolite2: GeoLite2Place | undefined;
  readonly region: string | undefined;
  en: string | undefined;
  zh: string | undefined;
  readonly others: Set<string>;
}

class CityDrafts {
  readonly #rows: SourceRows;
  readonly #cities = new Map<number, CityDraft>();
  readonly #ownNames = chineseCityNames();
  readonly #transliterations: Transliterations;

  constructor(rows: SourceRows) {
    this.#rows = rows;
    this.#transliterations = learnTransliterations(rows);
  }

  places(): Place[] {
    return [...this.#cities.values()].map(placeOf);
  }

  draft(isoByDivision: ReadonlyMap<string, string>): void {
    const { geonames, geolite2 } = this.#rows;
    for (const city of geonames.cities.values()) {
      this.#draftCity(city, geolite2.places.get(city.id), isoByDivision);
    }
    for (const place of geolite2.places.values()) {
      if (place.kind === 'city' && !this.#cities.has(place.id)) {
        this.#draftCity(undefined, place, isoByDivision);
      }
    }
  }

  #draftCity(
    geonames: GeonamesCity | undefined,
    geolite2: GeoLite2Place | undefined,
    isoByDivision: ReadonlyMap<string, string>,
  ): void {
    const { id, country } = (geonames ?? geolite2)!;
    const alternates = this.#rows.geonames.alternates.get(id);
    const division = geonames?.admin1 === undefined ? undefined : divisionKey(country, geonames.admin1);
    const region =
      regionOfWholeCity(id) ??
      geolite2?.region ??
      (division === undefined ? undefined : isoByDivision.get(division));
    const given = geolite2?.kind === 'city' ? geolite2.names : undefined;
    const { name, asciiName, alternates: more = [] } = geonames ?? {};
    const listed = alternates?.best['zh-CN']?.name;
    const isWord = geonames !== undefined && listed !== undefined && this.#isWord(geonames, listed);
    const zh = [given?.['zh-CN'], isWord ? undefined : listed, this.#ownNames.get(id)].filter(isChineseName);
    this.#cities.set(id, {
      id,
      country,
      geonames,
      geolite2: geolite2?.kind === 'city' ? geolite2 : undefined,
      region: hasRegions(country) ? region : undefined,
      en: given?.en ?? alternates?.best.en?.name ?? name,
      zh: zh.find((one) => !TRADITIONAL.test(one)) ?? zh[0],
      others: new Set(
        [name, asciiName, ...more, ...(alternates?.all ?? []), given?.en, listed, ...zh].filter(isDefined),
      ),
    });
  }

  /** Whether a Chinese name in GeoNames is a dictionary word. Large cities have established names of other kinds. */
  #isWord({ country, name, population = 0 }: GeonamesCity, zh: string): boolean {
    return population < LARGE_CITY && !this.#transliterations.isPossible({ country, en: name, zh });
  }

  /** Adds names in feeds that are missing in the sources. */
  nameCommonly(): void {
    const common = new Map<string, ReadonlyMap<string, readonly string[]>>();
    for (const { country, en, geonames, others } of this.#cities.values()) {
      const names = entryOf(common, country, () => {
        return new Map(commonCityNames(country).map(([name, more]) => [foldName(name), more]));
      });
      if (names.size === 0) continue;
      for (const name of [en, geonames?.name].filter(isDefined)) {
        for (const other of names.get(foldName(name)) ?? []) others.add(other);
      }
    }
  }

  /**
   * Adds Chinese names of dr5hn: as the display name if there is none and it may be a transliteration, because the
   * source translates names that are words; else as another spelling.
   */
  nameFromDr5hn(): void {
    const byName = new Map<string, Dr5hnCity[]>();
    for (const city of this.#rows.dr5hn.cities) {
      entryOf(byName, `${city.country}/${foldName(city.name)}`, () => [] as Dr5hnCity[]).push(city);
    }
    if (byName.size === 0) return;
    for (const city of this.#cities.values()) {
      const names = new Set(
        [city.en, city.geonames?.name, city.geonames?.asciiName].filter(isDefined).map(foldName),
      );
      for (const name of names) {
        const found = (byName.get(`${city.country}/${name}`) ?? []).find((one) => isSamePlace(city, one));
        if (found === undefined) continue;
        // A dictionary word, such as 阅读 for Reading, is a spelling that feeds may use, but no name.
        if (this.#transliterations.isPossible({ country: city.country, en: found.name, zh: found.zh }))
          city.zh ??= found.zh;
        city.others.add(found.zh);
        break;
      }
    }
  }

  /** Removes the words for regions from Chinese names; the whole names stay as other spellings. */
  omitRegionWords(regionNames: ReadonlyMap<string, string | undefined>): void {
    for (const city of this.#cities.values()) {
      if (city.zh === undefined) continue;
      const regionName = city.region === undefined ? undefined : regionNames.get(city.region);
      city.others.add(city.zh);
      city.zh = withoutRegionWord(city.zh, { country: city.country, regionName });
    }
  }

  nameChinesePrefectures(): void {
    const byName = new Map<string, CityDraft>();
    for (const city of this.#cities.values()) {
      if (city.country !== 'CN' || city.region === undefined) continue;
      for (const name of new Set([city.en, city.geonames?.asciiName].filter(isDefined).map(foldName))) {
        const key = `${city.region}/${name}`;
        if (populationOf(city) >= populationOf(byName.get(key))) byName.set(key, city);
      }
    }
    for (const { id, region, city: name, prefecture, spellings } of chinesePrefectures()) {
      const keys = spellings.map((spelling) => `${region}/${foldName(spelling)}`);
      const city =
        (id === undefined ? undefined : this.#cities.get(id)) ??
        keys.map((key) => byName.get(key)).find(isDefined);
      const held = city ?? (id === undefined ? undefined : emptyDraft(id, spellings[0]));
      if (held === undefined) continue;
      for (const other of [prefecture, ...spellings].filter(isDefined)) held.others.add(other);
      this.#cities.set(held.id, { ...held, region, zh: name });
    }
  }
}

/** Learns transliterations from the names in all sources. */
function learnTransliterations({ geonames, geolite2, dr5hn }: SourceRows): Transliterations {
  const transliterations = new Transliterations();
  for (const { country, names } of geolite2.places.values()) {
    if (names.en !== undefined && names['zh-CN'] !== undefined)
      transliterations.learn({ country, en: names.en, zh: names['zh-CN'] });
  }
  for (const { id, country, name } of geonames.cities.values()) {
    const zh = geonames.alternates.get(id)?.best['zh-CN']?.name;
    if (zh !== undefined) transliterations.learn({ country, en: name, zh });
  }
  for (const { country, name, zh } of dr5hn.cities) transliterations.learn({ country, en: name, zh });
  return transliterations;
}

/** Returns a draft of a Chinese city that no source lists. */
function emptyDraft(id: number, en: string | undefined): CityDraft {
  const sources = { geonames: undefined, geolite2: undefined };
  return { id, country: 'CN', ...sources, region: undefined, en, zh: undefined, others: new Set() };
}

function placeOf({ id, country, region, geonames, geolite2, en, zh, others }: CityDraft): Place {
  const names = namesOf(en, zh);
  const alternates = alternatesOf(names, others);
  const timeZone = geolite2?.timeZone ?? geonames?.timeZone;
  return {
    id,
    kind: 'city',
    continent: continentOf(country)!,
    country,
    ...(region !== undefined && { region }),
    names,
    ...(alternates.length > 0 && { alternates }),
    ...(geonames !== undefined && { latitude: geonames.latitude, longitude: geonames.longitude }),
    ...(timeZone !== undefined && { timeZone }),
    ...(geonames?.population !== undefined && { population: geonames.population }),
    ...(geonames?.isSection === true && { isSection: true }),
  };
}

/** Whether two cities are near each other, or without coordinates in the same region. */
function isSamePlace(city: CityDraft, other: Dr5hnCity): boolean {
  const km = city.geonames === undefined ? undefined : distanceKm(city.geonames, other);
  return km === undefined ? city.region === other.region : km <= SAME_PLACE_KM;
}

function populationOf(city: CityDraft | undefined): number {
  return city === undefined ? -1 : (city.geonames?.population ?? 0);
}
