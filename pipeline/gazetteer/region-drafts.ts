import { hasRegions } from '../input/names/iso3166.js';
import { CHINESE_REGIONS } from './china.js';
import { commonRegionNames } from './common-names.js';
import { alternatesOf, entryOf, isChineseName, namesOf } from './draft-names.js';
import { TRADITIONAL } from './geonames.js';
import { divisionKey, isoRegions } from './iso-regions.js';
import type { PlaceNames, Region } from './place.js';
import type { SourceRows } from './source-rows.js';
import { englishNamesOf, stemOf, subdivisions } from './subdivision-names.js';

/** Returns the ISO 3166-2 codes of GeoNames divisions (`CC.code`) with a known code. */
export function divisionCodes({ geonames, geolite2, dr5hn }: SourceRows): Map<string, string> {
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

/** Composes the regions: every first-level subdivision of ISO 3166-2, and other regions of places in the sources. */
export function composeRegions(
  { geonames, geolite2, dr5hn }: SourceRows,
  isoByDivision: ReadonlyMap<string, string>,
): Region[] {
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
    if (iso === undefined || !hasRegions(country)) continue;
    const alternates = geonames.alternates.get(id);
    const held = draft(iso);
    held.id ??= id;
    addNames(held, { en: alternates?.best.en?.name ?? name, 'zh-CN': alternates?.best['zh-CN']?.name });
    held.others.push(name, asciiName, ...(alternates?.all ?? []));
  }
  for (const { code, country, name, zh } of dr5hn.states) {
    const held = drafts.get(code);
    if (held === undefined || !hasRegions(country)) continue;
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

/** The names of a region, the best first. */
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

/** Returns the names of subdivisions in other sources, by code. */
function namesByCode(dr5hn: SourceRows['dr5hn'], geolite2: SourceRows['geolite2']): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { code, name } of dr5hn.states) entryOf(names, code, () => [] as string[]).push(name);
  for (const [code, { en }] of geolite2.regions)
    if (en !== undefined) entryOf(names, code, () => [] as string[]).push(en);
  return names;
}
