import { html, type Insert, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import { table } from '../../../pipeline/html/table.js';
import { percent } from '../../../pipeline/html/wording.js';
import { worldMap, type MapSource } from '../../../pipeline/html/world-map.js';
import { CountryNames, type Language } from '../../../pipeline/record/language.js';
import type { ReleaseStatus } from '../../release/release-status.js';
import { figureIn, figureTextIn } from './figures.js';
import { STATUS_WORDS, type StatusWords } from './words.js';

type Changes = NonNullable<ReleaseStatus['changes']>;

/** The countries with the most changed addresses that are listed. */
const MOST_COUNTRIES = 10;

/** The addresses of a country now, and those of them that have another place than before. */
interface Changed {
  readonly all: number;
  readonly changed: number;
}

const COUNTRIES = new CountryNames();

/** Renders the addresses whose place differs from the last release, on a map and in a table. */
export function changesSection(changes: Changes, outlines: MapSource, language: Language): Markup {
  const words = STATUS_WORDS[language];
  const nameOf = (country: string): string =>
    country === 'none' ? '–' : COUNTRIES.nameOf(country, language);
  const counted = new Map(
    Object.entries(changes.countries).map(([country, { ipv4Addresses: all, gained, changed }]) => [
      country,
      { all, changed: gained + changed },
    ]),
  );
  const shown = { counted, nameOf, language, words };
  const total = totalOf(counted, changes.removed);
  const note = words.changesNote(
    changes.since,
    figureTextIn(total.changed, language),
    percent(total.changed, total.all, words.under),
  );
  return renderSection({
    id: 'changes',
    title: words.changes,
    body: html`<p>${note}</p>
      ${changeMap(shown, outlines)} ${changeTable(shown)}`,
  });
}

interface Shown {
  readonly counted: ReadonlyMap<string, Changed>;
  readonly nameOf: (country: string) => string;
  readonly language: Language;
  readonly words: StatusWords;
}

function totalOf(counted: ReadonlyMap<string, Changed>, removed: number): Changed {
  let [all, changed] = [removed, removed];
  for (const one of counted.values()) {
    all += one.all;
    changed += one.changed;
  }
  return { all, changed };
}

function changeMap({ counted, nameOf, language, words }: Shown, outlines: MapSource): Markup {
  return worldMap(
    { ...outlines, unknown: words.noChange, words: words.scale },
    {
      title: words.changesMap,
      scale: { colour: 'blue', bounds: [0.1, 1, 5, 20] },
      shareOf: (country) => {
        const one = counted.get(country);
        return one && one.all > 0 ? one.changed / one.all : undefined;
      },
      describe: (country) => {
        const { all = 0, changed = 0 } = counted.get(country) ?? {};
        return `${nameOf(country)}: ${figureTextIn(changed, language)} / ${figureTextIn(all, language)}`;
      },
    },
  );
}

function changeTable({ counted, nameOf, language, words }: Shown): Markup | undefined {
  const most = [...counted]
    .filter(([, { changed }]) => changed > 0)
    .sort(([, a], [, b]) => b.changed - a.changed)
    .slice(0, MOST_COUNTRIES);
  if (most.length === 0) return undefined;
  return table({
    caption: words.changed,
    columns: [
      { name: words.country },
      { name: words.addresses, kind: 'figure' },
      { name: words.changed, kind: 'figure' },
      { name: '%', kind: 'figure' },
    ],
    rows: most.map(([country, { all, changed }]): Insert[] => [
      nameOf(country),
      figureIn(all, language),
      figureIn(changed, language),
      percent(changed, all, words.under),
    ]),
  });
}
