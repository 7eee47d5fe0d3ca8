import { compareFeeds, type FeedChange } from '../compare-feeds.js';
import type { Extent } from '../compare-geo.js';
import type { ReleaseComparison } from '../compare-releases.js';
import { totalOfChanges, type PlaceChanges } from '../place-changes.js';
import { html, NOTHING, type Markup } from '../../html/markup.js';
import { counterName } from './named-counter.js';
import { folded, type Section } from '../../html/section.js';
import { countersOf, placeChangesOf, type ReportSubject } from './subject.js';
import { table } from '../../html/table.js';
import { change, counted, figure, percent } from '../../html/wording.js';
import { figureText } from '../../text/figure-text.js';

/** The changes since the last release: rows by feed, counters with the largest changes, addresses if compared. */
export function changes(subject: ReportSubject): Section {
  const { manifest, last, comparison } = subject;
  const body = last
    ? html`${feedTable(compareFeeds(last, manifest))}${counterTable(countersOf(last), countersOf(manifest))}`
    : html`<p>There is no earlier release to compare it with.</p> `;
  return {
    id: 'changes',
    title: 'Changes',
    body: html`${placesLine(placeChangesOf(subject))}${body}${comparison && addresses(comparison)}`,
  };
}

function placesLine(changes: PlaceChanges | undefined): Markup {
  if (!changes) return NOTHING;
  const { changed, ipv4Addresses } = totalOfChanges(changes);
  return html`<p>
    ${figure(changed)} of ${figure(ipv4Addresses)} IPv4 addresses in geo.mmdb
    (${percent(changed, ipv4Addresses)}) have another country, region or city than in ${changes.since}.
  </p> `;
}

function feedTable(feeds: readonly FeedChange[]): Markup {
  return table({
    caption: 'Accepted rows, compared with the last release',
    columns: [
      { name: 'Input' },
      { name: 'Now', kind: 'figure' },
      { name: 'Before', kind: 'figure' },
      { name: 'Change', kind: 'figure' },
      { name: 'Files' },
    ],
    rows: feeds.map(({ feed, accepted: { before, after }, snapshots }) => [
      feed,
      after === undefined ? '' : figure(after),
      before === undefined ? '' : figure(before),
      change(after, before),
      countStates(snapshots),
    ]),
  });
}

function countStates(snapshots: FeedChange['snapshots']): string {
  const states = ['changed', 'added', 'removed', 'same'] as const;
  return states
    .map((state) => ({ state, count: snapshots.filter((snapshot) => snapshot.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${figureText(count)} ${state}`)
    .join(', ');
}

const MOST_COUNTERS = 20;

interface MovedCounter {
  readonly name: string;
  readonly now: number;
  readonly before: number;
}

function counterTable(before: Counters, now: Counters): Markup {
  const moved = [...now]
    .flatMap(([name, value]): MovedCounter[] => {
      const old = before.get(name);
      return old === undefined || old === value ? [] : [{ name, now: value, before: old }];
    })
    .sort((a, b) => moveOf(b) - moveOf(a) || (a.name < b.name ? -1 : 1));
  const shown = moved.slice(0, MOST_COUNTERS);
  const news = html`${names('New counters', now, before)}${names('Removed counters', before, now)}`;
  if (shown.length === 0)
    return html`<p>No counter changed.</p>
      ${news}`;
  const rows = shown.map((counter) => [
    counterName(counter.name),
    figure(counter.now),
    figure(counter.before),
    change(counter.now, counter.before),
  ]);
  return html`${table({
    caption: `Largest changes of counters (${figureText(shown.length)} of ${figureText(moved.length)})`,
    columns: [
      { name: 'Counter' },
      { name: 'Now', kind: 'figure' },
      { name: 'Before', kind: 'figure' },
      { name: 'Change', kind: 'figure' },
    ],
    rows,
  })}${news}`;
}

type Counters = ReadonlyMap<string, number>;

/** Lists the names in the first map that the second does not have. */
function names(what: string, there: Counters, notThere: Counters): Markup {
  const found = [...there.keys()].filter((name) => !notThere.has(name)).sort();
  if (found.length === 0) return NOTHING;
  return folded(`${what}: ${figureText(found.length)}`, html`<p>${found.map(counterName).join('; ')}</p>`);
}

/** Returns a rank for a change: relative to the old value, damped for small counters, so 1 to 3 ranks low. */
function moveOf({ now, before }: MovedCounter): number {
  const [less, more] = [Math.min(now, before), Math.max(now, before)];
  return ((more - less) / (Math.abs(less) + DAMPING)) * Math.log2(2 + more - less);
}

const DAMPING = 10;

const MOST_MOVES = 15;

function addresses({ before, geo, routes }: ReleaseComparison): Markup {
  const extent = ({ ipv4Addresses, ipv6Slash64s }: Extent): Markup[] => [
    figure(ipv4Addresses),
    figure(ipv6Slash64s),
  ];
  const figures = [
    { name: 'IPv4 addresses', kind: 'figure' },
    { name: 'IPv6 /64s', kind: 'figure' },
  ] as const;
  return html`<h3>Addresses, compared with ${before}</h3>
    ${table({
      caption: 'geo.mmdb: changes of addresses',
      columns: [{ name: 'Addresses' }, ...figures],
      rows: Object.entries(geo.changes).map(([name, of]: [string, Extent]) => [name, ...extent(of)]),
    })}${
      geo.moves.length === 0
        ? NOTHING
        : table({
            caption: `geo.mmdb: moves between countries (${figureText(Math.min(MOST_MOVES, geo.moves.length))} of ${figureText(geo.moves.length)})`,
            columns: [{ name: 'From' }, { name: 'To' }, ...figures],
            rows: geo.moves.slice(0, MOST_MOVES).map((move) => [move.from, move.to, ...extent(move)]),
          })
    }${
      routes &&
      html`<p>
        Routes: ${counted(routes.appeared, 'prefix', 'prefixes')} appeared, ${figure(routes.disappeared)}
        disappeared, ${figure(routes.changedOrigin)} changed origin.
      </p> `
    }`;
}
