import { currentRegionCode } from '../input/names/iso3166-2.js';
import type { GeonamesDivision } from './geonames.js';
import { foldName } from './place-name.js';
import { englishNamesOf, stemOf, subdivisions } from './subdivision-names.js';

/** Evidence for the ISO 3166-2 codes of GeoNames divisions. */
export interface DivisionEvidence {
  /** By division (`CC.code`): the number of its cities per ISO 3166-2 code in another source. */
  readonly votes: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Other names of a division, by its GeoNames id. */
  readonly namesOf: (id: number) => readonly string[];
  /** Other names of a subdivision, by its ISO 3166-2 code. */
  readonly isoNamesOf: (code: string) => readonly string[];
}

/**
 * Finds the ISO 3166-2 codes of GeoNames divisions (`CC.code`, mostly FIPS): by the majority of a division's cities in
 * another source, from the code itself if GeoNames uses ISO codes, else by name.
 */
export function isoRegions(
  divisions: readonly GeonamesDivision[],
  evidence: DivisionEvidence,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const division of divisions) {
    const key = divisionKey(division.country, division.code);
    const code = majorityOf(evidence.votes.get(key)) ?? sameCode(division);
    if (code !== undefined) found.set(key, code);
  }
  const isoByCountry = groupByCountry(subdivisions().filter(({ parent }) => parent === undefined));
  for (const [country, left] of groupByCountry(divisions)) {
    const taken = new Set(found.values());
    const iso = (isoByCountry.get(country) ?? []).filter(({ code }) => !taken.has(code));
    matchByName({
      left: left
        .filter(({ code }) => !found.has(divisionKey(country, code)))
        .map(({ code, id, name, asciiName }) => ({
          key: divisionKey(country, code),
          names: [name, asciiName, ...evidence.namesOf(id)],
        })),
      right: iso.map(({ code, name }) => ({
        key: code,
        names: [name, ...englishNamesOf(code), ...evidence.isoNamesOf(code)],
      })),
      found,
    });
  }
  return found;
}

/** Returns the GeoNames key of a division. */
export function divisionKey(country: string, code: string): string {
  return `${country}.${code}`;
}

/** Countries for which GeoNames uses ISO 3166-2 codes. */
const ISO_CODED: ReadonlySet<string> = new Set(['US', 'CH', 'BE', 'ME', 'GB']);

function sameCode({ country, code }: GeonamesDivision): string | undefined {
  return ISO_CODED.has(country) ? currentRegionCode(`${country}-${code}`) : undefined;
}

const MAJORITY = 0.6;

function majorityOf(votes: ReadonlyMap<string, number> | undefined): string | undefined {
  if (votes === undefined) return undefined;
  const total = [...votes.values()].reduce((sum, count) => sum + count, 0);
  return [...votes].find(([, count]) => count >= total * MAJORITY)?.[0];
}

interface Named {
  readonly key: string;
  readonly names: readonly string[];
}

/**
 * Pairs names that match each other and nothing else: by whole name, then stem, common beginning, few differing
 * letters.
 */
function matchByName({
  left,
  right,
  found,
}: {
  readonly left: readonly Named[];
  readonly right: readonly Named[];
  readonly found: Map<string, string>;
}): void {
  const folded = (named: Named): string[] => named.names.map(foldName);
  const stems = (named: Named): string[] => named.names.map(stemOf);
  const passes: readonly ((one: readonly string[], other: readonly string[]) => boolean)[] = [
    (one, other) => one.some((name) => other.includes(name)),
    (one, other) => one.some((name) => other.some((second) => beginsAlike(name, second))),
    (one, other) => one.some((name) => other.some((second) => isNearly(name, second))),
  ];
  const taken = new Set<string>();
  for (const [pass, keys] of [
    [passes[0]!, folded],
    [passes[0]!, stems],
    [passes[1]!, stems],
    [passes[2]!, stems],
  ] as const) {
    const openLeft = left
      .filter(({ key }) => !found.has(key))
      .map((one) => ({ key: one.key, names: keys(one) }));
    const openRight = right
      .filter(({ key }) => !taken.has(key))
      .map((one) => ({ key: one.key, names: keys(one) }));
    for (const one of openLeft) {
      const alike = openRight.filter((other) => pass(one.names, other.names));
      const only = alike.length === 1 ? alike[0]! : undefined;
      if (only === undefined || openLeft.some((rival) => rival !== one && pass(rival.names, only.names)))
        continue;
      found.set(one.key, only.key);
      taken.add(only.key);
    }
  }
}

function beginsAlike(one: string, other: string): boolean {
  return Math.min(one.length, other.length) >= 4 && (one.startsWith(other) || other.startsWith(one));
}

/** Whether two names differ in at most one letter of five. */
function isNearly(one: string, other: string): boolean {
  const longer = Math.max(one.length, other.length);
  if (longer < 5 || Math.abs(one.length - other.length) > longer / 5) return false;
  return editDistance(one, other) <= longer / 5;
}

/** Returns the number of letters to insert, remove or replace (Levenshtein distance). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}

function groupByCountry<T extends { readonly country: string }>(all: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(one.country);
    if (group === undefined) groups.set(one.country, [one]);
    else group.push(one);
  }
  return groups;
}
