import { countryNames } from '../../gazetteer/country-names.js';
import { agreementIn, type CountryAgreement } from '../agreement.js';
import type { CountryPlaceChanges, PlaceChanges } from '../place-changes.js';
import { html, type Insert, type Markup } from '../../html/markup.js';
import { folded, type Section } from '../../html/section.js';
import { placeChangesOf, type ReportSubject } from './subject.js';
import { table, type Column } from '../../html/table.js';
import { figure, percent } from '../../html/wording.js';
import { mapShapes, shapesOfPage, worldMap, type WorldMap } from '../../html/world-map.js';
import { worldShapes } from '../../html/world-shapes.js';
import { figureText } from '../../text/figure-text.js';

/**
 * World maps of `geo.mmdb` by country: coverage, disagreement and, if they were counted, changes since the last release.
 * Absent where nothing was counted.
 */
export function countries(subject: ReportSubject): Section | undefined {
  const agreement = agreementIn(subject.manifest.datasets);
  if (!agreement) return undefined;
  const names = countryNames();
  const nameOf = (code: string): string => `${names.get(code)?.names.en ?? code} ${code}`;
  const shapes = worldShapes();
  const changes = placeChangesOf(subject);
  const shown: Shown = { nameOf, counts: agreement.countries, changes };
  const maps = [coverageMap(shown), disagreementMap(shown)];
  if (changes) maps.push(changeMap(changes, nameOf));
  return {
    id: 'countries',
    title: 'Countries',
    body: html`<p>
        All shares are of IPv4 addresses in geo.mmdb, by the country that the merge has decided. A country has
        its figures as a tooltip.
      </p>
      ${mapShapes(shapes)}
      <div class="maps">${maps.map((map) => worldMap(shapesOfPage(shapes), map))}</div>
      ${folded('The countries with the most addresses', countryTable(shown))}`,
  };
}

interface Shown {
  readonly nameOf: (code: string) => string;
  readonly counts: ReadonlyMap<string, CountryAgreement>;
  readonly changes: PlaceChanges | undefined;
}

function coverageMap({ nameOf, counts }: Shown): WorldMap {
  return {
    title: 'Coverage: addresses with a city',
    scale: { colour: 'blue', bounds: [20, 40, 60, 80] },
    shareOf: (code) => shareOf(counts.get(code), (one) => [one.city, totalOf(one)]),
    describe: (code) => {
      const one = counts.get(code);
      if (!one) return `${nameOf(code)}: no addresses`;
      const whole = totalOf(one);
      const levels = (['city', 'region', 'country'] as const).map(
        (level) => `${level} ${percent(one[level], whole)}`,
      );
      return `${nameOf(code)}: ${figureText(whole)} addresses, finest level: ${levels.join(', ')}`;
    },
  };
}

function disagreementMap({ nameOf, counts }: Shown): WorldMap {
  return {
    title: 'Disagreement: addresses on whose country the feeds differ',
    scale: { colour: 'orange', bounds: [5, 10, 20, 40] },
    shareOf: (code) => shareOf(counts.get(code), (one) => [one.disagreed, one.compared]),
    describe: (code) => {
      const { compared, disagreed } = counts.get(code) ?? { compared: 0, disagreed: 0 };
      if (compared === 0) return `${nameOf(code)}: no addresses with a country from two feeds`;
      const share = percent(disagreed, compared);
      return `${nameOf(code)}: ${share} of ${figureText(compared)} addresses with a country from two feeds`;
    },
  };
}

/** The share of the addresses of a country that are new in it or have another region or city. */
function changeMap({ since, countries: counted }: PlaceChanges, nameOf: Shown['nameOf']): WorldMap {
  const changes = new Map(Object.entries(counted));
  return {
    title: `Change: addresses with another country, region or city than in ${since}`,
    scale: { colour: 'blue', bounds: [0.1, 1, 5, 20] },
    shareOf: (code) => shareOf(changes.get(code), changedOf),
    describe: (code) => {
      const one = changes.get(code);
      if (!one) return `${nameOf(code)}: no addresses`;
      const [changed, whole] = changedOf(one).map(figureText);
      return `${nameOf(code)}: ${changed!} of ${whole!} addresses changed, ${figureText(one.gained)} of them the country`;
    },
  };
}

function changedOf({ ipv4Addresses, gained, changed }: CountryPlaceChanges): readonly [number, number] {
  return [gained + changed, ipv4Addresses];
}

function totalOf({ city, region, country }: CountryAgreement): number {
  return city + region + country;
}

/** Returns a part as a share (0..1) of its whole; undefined where there is none. */
function shareOf<T>(
  counted: T | undefined,
  of: (counted: T) => readonly [number, number],
): number | undefined {
  const [part, whole] = counted === undefined ? [0, 0] : of(counted);
  return whole === 0 ? undefined : part / whole;
}

const MOST_COUNTRIES = 25;

const COLUMNS = ['IPv4 addresses', 'City', 'Region', 'Country only', 'Compared', 'Disagree'];

function countryTable({ nameOf, counts, changes }: Shown): Markup {
  const all = [...counts].sort(([a, one], [b, other]) => totalOf(other) - totalOf(one) || (a < b ? -1 : 1));
  const columns = [...COLUMNS, ...(changes ? ['Changed'] : [])].map((name): Column => {
    return { name, kind: 'figure' };
  });
  const changed = new Map(Object.entries(changes?.countries ?? {}));
  return table({
    caption: `IPv4 addresses of ${figureText(Math.min(MOST_COUNTRIES, all.length))} of ${figureText(all.length)} countries`,
    columns: [{ name: 'Country' }, ...columns],
    rows: all
      .slice(0, MOST_COUNTRIES)
      .map(([code, one]): Insert[] => [
        nameOf(code),
        figure(totalOf(one)),
        ...[one.city, one.region, one.country].map((part) => percent(part, totalOf(one))),
        percent(one.compared, totalOf(one)),
        percent(one.disagreed, one.compared),
        ...(changes ? [changed.has(code) ? percent(...changedOf(changed.get(code)!)) : ''] : []),
      ]),
  });
}
