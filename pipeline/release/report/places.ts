import type { ManifestInput } from '../contract.js';
import { legend, stack, type Part } from '../../html/charts.js';
import { html, NOTHING, type Insert, type Markup } from '../../html/markup.js';
import { folded, type Section } from '../../html/section.js';
import type { ReportSubject } from './subject.js';
import { table } from '../../html/table.js';
import { counted, figure, percent } from '../../html/wording.js';
import { figureText } from '../../text/figure-text.js';

type Places = NonNullable<ManifestInput['places']>;
type Unresolved = Places['unresolvedCities'][number];

/** The place names of feeds that matched a place, by level, and the names that did not. */
export function places({ manifest }: ReportSubject): Section {
  const feeds = manifest.inputs.flatMap(({ feed, places: found }) => (found ? [{ feed, found }] : []));
  const body =
    feeds.length === 0
      ? html`<p>No geolocation feeds were read.</p> `
      : html`${levels(feeds)}${feeds.map(({ feed, found }) => unresolved(feed, found))}`;
  return { id: 'places', title: 'Unresolved places', body };
}

interface FeedPlaces {
  readonly feed: string;
  readonly found: Places;
}

const LEVELS = ['city', 'region', 'country', 'none'] as const;

function levels(feeds: readonly FeedPlaces[]): Markup {
  const partsOf = ({ levels: counts }: Places): Part[] =>
    LEVELS.map((name, colour) => ({ name, value: counts[name], colour }));
  return html`${legend(LEVELS.map((name, colour) => ({ name: name === 'none' ? 'no place' : name, colour })))}${table(
    {
      caption: 'Networks by the finest level that matched a place',
      columns: [
        { name: 'Feed' },
        { name: 'Chart', kind: 'picture' },
        { name: 'Networks', kind: 'figure' },
        ...LEVELS.map((name) => ({ name: name === 'none' ? 'no place' : name, kind: 'figure' as const })),
      ],
      rows: feeds.map(({ feed, found }): Insert[] => {
        const parts = partsOf(found);
        const label = parts.map(({ name, value }) => `${name} ${percent(value, found.total)}`).join(', ');
        return [feed, stack(parts, label), figure(found.total), ...parts.map(({ value }) => figure(value))];
      }),
    },
  )}`;
}

/** Unresolved names shown per feed; the manifest has more. */
const MOST_SHOWN = 15;

function unresolved(feed: string, { unresolvedCities, unresolvedRegions }: Places): Markup {
  const count = unresolvedCities.length + unresolvedRegions.length;
  if (count === 0) return NOTHING;
  return folded(
    html`<strong>${feed}</strong> <small>${counted(count, 'name')} without a match</small>`,
    html`${texts('Cities', unresolvedCities)}${texts('Regions', unresolvedRegions)}`,
  );
}

function texts(caption: string, all: readonly Unresolved[]): Markup {
  if (all.length === 0) return NOTHING;
  const shown = all.slice(0, MOST_SHOWN);
  return table({
    caption:
      shown.length < all.length ? `${caption}, the ${figureText(shown.length)} most frequent` : caption,
    columns: [
      { name: 'Text' },
      { name: 'Region' },
      { name: 'Country' },
      { name: 'Networks', kind: 'figure' },
    ],
    rows: shown.map(({ name, region, country, count }) => [name, region, country, figure(count)]),
  });
}
