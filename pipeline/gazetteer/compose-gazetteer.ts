import type { Terms } from '../input/published-source.js';
import { continentOf } from '../input/names/iso3166.js';
import { composeAreas } from './areas.js';
import { composeCities } from './city-drafts.js';
import { countryNames } from './country-names.js';
import { CONTINENT_NAMES } from './display-names.js';
import { Dr5hnRows } from './dr5hn.js';
import { Gazetteer } from './gazetteer.js';
import { GeonamesRows } from './geonames.js';
import type { Place, Region } from './place.js';
import { composeRegions, divisionCodes } from './region-drafts.js';
import { NO_GEOLITE2, type SourceRows } from './source-rows.js';
import { GAZETTEER_SOURCES, type GazetteerSourceId } from './source.js';

/**
 * Composes a gazetteer from the sources with a licence of one of `terms`. Names of countries and of Chinese provinces
 * and prefectures, and time zones of countries, are from tables in this folder. Other names are from GeoLite2, else
 * GeoNames, else dr5hn.
 */
export function composeGazetteer(rows: SourceRows, terms: ReadonlySet<Terms>): Gazetteer {
  return compose({
    geonames: isAllowed('gazetteer', terms) ? rows.geonames : new GeonamesRows(),
    geolite2: isAllowed('gazetteer-geolite2', terms) ? rows.geolite2 : NO_GEOLITE2,
    dr5hn: isAllowed('gazetteer-dr5hn', terms) ? rows.dr5hn : new Dr5hnRows(),
  });
}

function isAllowed(id: GazetteerSourceId, terms: ReadonlySet<Terms>): boolean {
  return terms.has(GAZETTEER_SOURCES.find((source) => source.id === id)!.licence.terms);
}

function compose(rows: SourceRows): Gazetteer {
  const isoByDivision = divisionCodes(rows);
  const regions = composeRegions(rows, isoByDivision);
  const regionNames = new Map(regions.map(({ code, names }) => [code, names['zh-CN']]));
  const places = new Map<number, Place>();
  for (const [country, { id, names }] of countryNames()) {
    places.set(id, { id, kind: 'country', continent: continentOf(country)!, country, names });
  }
  const cities = composeCities(rows, isoByDivision, regionNames);
  for (const city of cities) places.set(city.id, city);
  for (const region of regions) {
    if (region.id === undefined || places.has(region.id)) continue;
    const timeZone = rows.geolite2.places.get(region.id)?.timeZone;
    places.set(region.id, regionPlace(region, region.id, timeZone));
  }
  return new Gazetteer({
    continents: Object.entries(CONTINENT_NAMES).map(([code, names]) => ({ code, names })),
    regions,
    places: [...places.values()],
    areas: composeAreas(countryNames().keys(), cities),
  });
}

function regionPlace({ code, country, names }: Region, id: number, timeZone: string | undefined): Place {
  const continent = continentOf(country)!;
  return {
    id,
    kind: 'region',
    continent,
    country,
    region: code,
    names,
    ...(timeZone !== undefined && { timeZone }),
  };
}
