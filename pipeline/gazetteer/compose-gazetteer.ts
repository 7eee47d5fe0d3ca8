import type { Terms } from '../feeds/feed.js';
import { continentOf } from '../feeds/iso3166.js';
import { CHINESE_REGIONS, chinesePrefectures } from './china.js';
import { chineseCityNames } from './city-names-zh.js';
import { commonCityNames, commonRegionNames } from './common-names.js';
import { countryNames } from './country-names.js';
import { CONTINENT_NAMES } from './display-names.js';
import { distanceKm } from './distance.js';
import { Dr5hnRows, type Dr5hnCity } from './dr5hn.js';
import { Gazetteer } from './gazetteer.js';
import { GeonamesRows, isReadable, TRADITIONAL, type GeonamesCity } from './geonames.js';
import type { GeoLite2Place, GeoLite2Rows } from './geolite2-places.js';
import { divisionKey, isoRegions } from './iso-regions.js';
import type { Place, PlaceNames, Region } from './place.js';
import { foldName, isHan } from './place-name.js';
import { GAZETTEER_SOURCES, type GazetteerSourceId } from './source.js';
import { englishNamesOf, stemOf, subdivisions } from './subdivision-names.js';

/** What the sources hold, each read by itself. */
export interface SourceRows {
  readonly geonames: GeonamesRows;
  readonly geolite2: GeoLite2Rows;
  readonly dr5hn: Dr5hnRows;
}

/**
 * Makes a gazetteer out of those sources whose licence has one of `terms`; of the others nothing is in it. Names of
 * countries and of Chinese provinces and prefectures are our own. Elsewhere GeoLite2's names stand first, then those of
 * GeoNames, then those of dr5hn.
 */
export function composeGazetteer(rows: SourceRows, terms: ReadonlySet<Terms>): Gazetteer {
  return new Composer({
    geonames: isAllowed('gazetteer', terms) ? rows.geonames : new GeonamesRows(),
    geolite2: isAllowed('gazetteer-geolite2', terms) ? rows.geolite2 : NO_GEOLITE2,
    dr5hn: isAllowed('gazetteer-dr5hn', terms) ? rows.dr5hn : new Dr5hnRows(),
  }).compose();
}

/** What is there without GeoLite2. */
export const NO_GEOLITE2: GeoLite2Rows = { places: new Map(), regions: new Map() };

function isAllowed(id: GazetteerSourceId, terms: ReadonlySet<Terms>): boolean {
  return terms.has(GAZETTEER_SOURCES.find((source) => source.id === id)!.licence.terms);
}

/** How far apart two sources may set one city. */
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

class Composer {
  readonly #rows: SourceRows;
  readonly #cities = new Map<number, CityDraft>();
  readonly #ownNames = chineseCityNames();

  constructor(rows: SourceRows) {
    this.#rows = rows;
  }

  compose(): Gazetteer {
    const isoByDivision = this.#divisionCodes();
    this.#draftCities(isoByDivision);
    this.#nameCommonly();
    this.#nameFromDr5hn();
    this.#nameChinesePrefectures();
    const regions = this.#regions(isoByDivision);
    const places = new Map<number, Place>();
    for (const [country, { id, names }] of countryNames()) {
      places.set(id, { id, kind: 'country', continent: continentOf(country)!, country, names });
    }
    for (const city of this.#cities.values()) places.set(city.id, placeOf(city));
    for (const region of regions) {
      if (region.id !== undefined && !places.has(region.id))
        places.set(region.id, this.#regionPlace(region, region.id));
    }
    return new Gazetteer({
      continents: Object.entries(CONTINENT_NAMES).map(([code, names]) => ({ code, names })),
      regions,
      places: [...places.values()],
    });
  }

  #divisionCodes(): Map<string, string> {
    const { geonames, geolite2, dr5hn } = this.#rows;
    const votes = new Map<string, Map<string, number>>();
    for (const { id, country, admin1 } of geonames.cities.values()) {
      const region = geolite2.places.get(id)?.region;
      if (admin1 === undefined || region?.startsWith(country) !== true) continue;
      const counts = entryOf(votes, divisionKey(country, admin1), () => new Map<string, number>());
      counts.set(region, (counts.get(region) ?? 0) + 1);
    }
    const names = namesByCode(dr5hn, geolite2);
    return isoRegions(geonames.divisions, {
      votes,
      namesOf: (id) => geonames.alternates.get(id)?.all ?? [],
      isoNamesOf: (code) => names.get(code) ?? [],
    });
  }

  #draftCities(isoByDivision: ReadonlyMap<string, string>): void {
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
    const hasNoRegions = country === 'HK' || country === 'MO';
    const region = geolite2?.region ?? (division === undefined ? undefined : isoByDivision.get(division));
    const given = geolite2?.kind === 'city' ? geolite2.names : undefined;
    const zh = [given?.['zh-CN'], alternates?.best['zh-CN']?.name, this.#ownNames.get(id)].filter(
      isChineseName,
    );
    const { name, asciiName, alternates: more = [] } = geonames ?? {};
    this.#cities.set(id, {
      id,
      country,
      geonames,
      geolite2: geolite2?.kind === 'city' ? geolite2 : undefined,
      region: hasNoRegions ? undefined : region,
      en: given?.en ?? alternates?.best.en?.name ?? name,
      zh: zh.find((one) => !TRADITIONAL.test(one)) ?? zh[0],
      others: new Set(
        [name, asciiName, ...more, ...(alternates?.all ?? []), given?.en, ...zh].filter(isDefined),
      ),
    });
  }

  /** Names that feeds use and the sources do not. */
  #nameCommonly(): void {
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

  /** Chinese names from dr5hn where the others have none; a second spelling where they have one. */
  #nameFromDr5hn(): void {
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
        city.zh ??= found.zh;
        city.others.add(found.zh);
        break;
      }
    }
  }

  #nameChinesePrefectures(): void {
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

  /** Every first-level subdivision of ISO 3166-2, and what the sources file places under besides. */
  #regions(isoByDivision: ReadonlyMap<string, string>): Region[] {
    const { geonames, geolite2, dr5hn } = this.#rows;
    const drafts = new Map<string, RegionDraft>();
    const draft = (code: string): RegionDraft =>
      entryOf(drafts, code, () => ({ id: undefined, en: [], zh: [], others: [] }));
    for (const { code, name, parent } of subdivisions()) {
      if (parent === undefined)
        draft(code).others.push(name, ...englishNamesOf(code), ...commonRegionNames(code));
    }
    for (const [code, names] of geolite2.regions) addNames(draft(code), names);
    for (const { id, kind, region } of geolite2.places.values()) {
      if (kind === 'region' && region !== undefined) draft(region).id ??= id;
    }
    for (const { id, country, code, name, asciiName } of geonames.divisions) {
      const iso = isoByDivision.get(divisionKey(country, code));
      if (iso === undefined || country === 'HK' || country === 'MO') continue;
      const alternates = geonames.alternates.get(id);
      const held = draft(iso);
      held.id ??= id;
      addNames(held, { en: alternates?.best.en?.name ?? name, 'zh-CN': alternates?.best['zh-CN']?.name });
      held.others.push(name, asciiName, ...(alternates?.all ?? []));
    }
    for (const { code, country, name, zh } of dr5hn.states) {
      const held = drafts.get(code);
      if (held === undefined || country === 'HK' || country === 'MO') continue;
      addNames(held, { en: undefined, 'zh-CN': zh });
      held.others.push(name);
    }
    for (const [code, names] of Object.entries(CHINESE_REGIONS)) {
      const held = draft(code);
      held.en.unshift(names.en!);
      held.zh.unshift(names['zh-CN']!);
    }
    return [...drafts].map(([code, held]) => regionOf(code, held));
  }

  #regionPlace(region: Region, id: number): Place {
    const { code, country, names } = region;
    const timeZone = this.#rows.geolite2.places.get(id)?.timeZone;
    return {
      id,
      kind: 'region',
      continent: continentOf(country)!,
      country,
      region: code,
      names,
      ...(timeZone !== undefined && { timeZone }),
    };
  }
}

/** A Chinese city that no source lists. */
function emptyDraft(id: number, en: string | undefined): CityDraft {
  const sources = { geonames: undefined, geolite2: undefined };
  return { id, country: 'CN', ...sources, region: undefined, en, zh: undefined, others: new Set() };
}

/** Names of a region, the best first. */
interface RegionDraft {
  id: number | undefined;
  readonly en: string[];
  readonly zh: string[];
  readonly others: string[];
}

function addNames(draft: RegionDraft, { en, 'zh-CN': zh }: PlaceNames): void {
  if (en !== undefined) draft.en.push(en);
  if (isChineseName(zh)) draft.zh.push(zh);
}

function regionOf(code: string, { id, en, zh, others }: RegionDraft): Region {
  const names = namesOf(
    englishNamesOf(code)[0] ?? en[0] ?? others[0],
    zh.find((one) => !TRADITIONAL.test(one)) ?? zh[0],
  );
  const all = [...en, ...zh, ...others];
  const alternates = alternatesOf(names, [...all, ...all.map(stemOf)]);
  return {
    code,
    country: code.slice(0, 2),
    ...(id !== undefined && { id }),
    names,
    ...(alternates.length > 0 && { alternates }),
  };
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

function namesOf(en: string | undefined, zh: string | undefined): PlaceNames {
  return { ...(en !== undefined && { en }), ...(zh !== undefined && { 'zh-CN': zh }) };
}

/** Folded names besides the shown ones, in one order. */
function alternatesOf({ en, 'zh-CN': zh }: PlaceNames, others: Iterable<string>): string[] {
  const folded = new Set<string>();
  for (const name of others) if (isReadable(name)) folded.add(foldName(name));
  for (const shown of [en, zh]) if (shown !== undefined) folded.delete(foldName(shown));
  folded.delete('');
  return [...folded].sort();
}

/** Names of subdivisions that other sources give. */
function namesByCode(dr5hn: Dr5hnRows, geolite2: GeoLite2Rows): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { code, name } of dr5hn.states) entryOf(names, code, () => [] as string[]).push(name);
  for (const [code, { en }] of geolite2.regions)
    if (en !== undefined) entryOf(names, code, () => [] as string[]).push(en);
  return names;
}

/** Near each other; without coordinates, in the same region. */
function isSamePlace(city: CityDraft, other: Dr5hnCity): boolean {
  const km = city.geonames === undefined ? undefined : distanceKm(city.geonames, other);
  return km === undefined ? city.region === other.region : km <= SAME_PLACE_KM;
}

function populationOf(city: CityDraft | undefined): number {
  return city === undefined ? -1 : (city.geonames?.population ?? 0);
}

function isChineseName(name: string | undefined): name is string {
  return name !== undefined && name.length > 1 && isHan(name);
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function entryOf<K, V>(entries: Map<K, V>, key: K, make: () => V): V {
  let held = entries.get(key);
  if (held === undefined) entries.set(key, (held = make()));
  return held;
}
