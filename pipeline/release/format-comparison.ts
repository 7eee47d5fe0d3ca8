import { printableLines } from '../text/printable.js';
import { ACCURACY_SHARES, kmText, shareText } from './accuracy.js';
import { pointsBetween } from '../text/figure-text.js';
import { alignColumns } from './columns.js';
import type { FeedChange, Pair } from './compare-feeds.js';
import type { CountryChange, Extent, GeoComparison } from './compare-geo.js';
import type { RouteComparison } from './compare-routes.js';
import type { TypeComparison } from './compare-types.js';
import type { AccuracyComparison, ReleaseComparison } from './compare-releases.js';
import { grouped } from '../text/figure-text.js';

/**
 * Formats a comparison as text: totals, the 15 largest changes of countries and moves, every feed. Ends in a newline.
 */
export function formatComparison({
  before,
  after,
  geo,
  routes,
  types,
  accuracy,
  feeds,
}: ReleaseComparison): string {
  const sections = [
    [`${before} -> ${after}`],
    formatTotals(geo),
    formatCountries(geo),
    formatMoves(geo),
    routes ? formatRoutes(routes) : [],
    types ? formatTypes(types) : [],
    types ? formatMoves(types, 'became') : [],
    accuracy ? formatAccuracy(accuracy) : [],
    formatFeeds(feeds),
    feeds.flatMap(formatFeedNews),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${printableLines(lines)}\n`)
    .join('\n');
}

const MOST_SHOWN = 15;

function formatTotals({ before, after, changes }: GeoComparison): string[] {
  const rows = Object.entries({ before, after, ...changes }).map(([name, extent]) => [
    name,
    ...cellsOf(extent),
  ]);
  return alignColumns([['addresses', 'IPv4', 'IPv6 /64s'], ...rows]);
}

function formatCountries({ countries }: GeoComparison): string[] {
  const changes = countries.map(({ country, ...extents }) => ({ name: country, ...extents }));
  return formatLabels(changes, 'country', 'countries');
}

function formatTypes({ types }: TypeComparison): string[] {
  const changes = types.map(({ type, ...extents }) => ({ name: type, ...extents }));
  return formatLabels(changes, 'proxy type', 'types');
}

/** The gains and losses of a country or type. */
interface LabelChange extends Pick<CountryChange, 'after' | 'gained' | 'lost'> {
  readonly name: string;
}

function formatLabels(changes: readonly LabelChange[], title: string, many: string): string[] {
  const moving = changes.filter(({ gained, lost }) => !isNothing(gained) || !isNothing(lost));
  if (moving.length === 0) return [];
  const rows = moving
    .slice(0, MOST_SHOWN)
    .map(({ name, after, gained, lost }) => [
      name,
      ...[gained.ipv4Addresses, -lost.ipv4Addresses].map(signed),
      grouped(after.ipv4Addresses),
      ...[gained.ipv6Slash64s, -lost.ipv6Slash64s].map(signed),
      grouped(after.ipv6Slash64s),
    ]);
  const head = [title, 'IPv4 gained', 'lost', 'now', 'IPv6 /64s gained', 'lost', 'now'];
  return [...alignColumns([head, ...rows]), ...restOf(moving.length, many)];
}

function formatMoves({ moves }: Pick<GeoComparison, 'moves'>, title = 'moved'): string[] {
  if (moves.length === 0) return [];
  const rows = moves.slice(0, MOST_SHOWN).map((move) => [`${move.from} -> ${move.to}`, ...cellsOf(move)]);
  return [...alignColumns([[title, 'IPv4', 'IPv6 /64s'], ...rows]), ...restOf(moves.length, 'pairs')];
}

function formatRoutes({ before, after, appeared, disappeared, changedOrigin }: RouteComparison): string[] {
  const rows = Object.entries({ before, after, appeared, disappeared, 'changed origin': changedOrigin });
  return alignColumns([['prefixes', 'announced'], ...rows.map(([name, count]) => [name, grouped(count)])]);
}

/** The shares of right answers over all networks, and as a mean over the operators. */
function formatAccuracy({ before, after }: AccuracyComparison): string[] {
  const shares = (['all', 'mean'] as const).flatMap((kind) =>
    ACCURACY_SHARES.flatMap(([key, name]) => {
      const [last, now] = [before[kind][key], after[kind][key]];
      if (last === undefined && now === undefined) return [];
      const points = last === undefined || now === undefined ? undefined : pointsBetween(last, now);
      const change = points === undefined ? '' : `${points > 0 ? '+' : ''}${points.toFixed(1)} points`;
      const texts = [last, now].map((share) => (share === undefined ? '-' : shareText(share)));
      return [[kind === 'all' ? name : `${name}, mean`, ...texts, change]];
    }),
  );
  const counts = (['networks', 'operators'] as const).map((name) => {
    const [last, now] = [before[name], after[name]];
    return [name, grouped(last), grouped(now), signed(now - last)];
  });
  const medians = [before, after].map(({ all: { medianKm } }) =>
    medianKm === undefined ? '-' : kmText(medianKm),
  );
  return alignColumns([
    ['accuracy', 'before', 'after', 'change'],
    ...counts,
    ...shares,
    ['median distance', ...medians, ''],
  ]);
}

function formatFeeds(feeds: readonly FeedChange[]): string[] {
  const rows = feeds.map(({ feed, accepted, rejected, coverage }) => [
    feed,
    ...pairOf(accepted),
    ...pairOf(rejected),
    ...pairOf({ before: coverage.before?.ipv4Addresses, after: coverage.after?.ipv4Addresses }),
    ...pairOf({ before: coverage.before?.ipv6Slash64s, after: coverage.after?.ipv6Slash64s }),
  ]);
  const head = ['feed', 'rows', 'now', 'rejected', 'now', 'IPv4 decided', 'now', 'IPv6 /64s decided', 'now'];
  return alignColumns([head, ...rows]);
}

/** Returns lines about a feed's snapshots, its reader's version, and the refusals of the newer release. */
function formatFeedNews({ feed, snapshots, adapterVersion, refusals }: FeedChange): string[] {
  const lines = snapshots
    .filter(({ state }) => state !== 'same')
    .map(({ id, state }) => `${feed}: ${id} ${state}`);
  const same = snapshots.length - lines.length;
  if (same > 0) lines.push(`${feed}: ${same} of ${snapshots.length} snapshots the same`);
  const { before, after } = adapterVersion;
  if (before !== undefined && after !== undefined && before !== after) {
    lines.push(`${feed}: adapter ${before} -> ${after}`);
  }
  for (const { file, refusal, found, usedInstead } of refusals.after) {
    lines.push(`${feed}: ${file} refused (${refusal}: ${found}), used instead: ${usedInstead}`);
  }
  return lines;
}

function cellsOf({ ipv4Addresses, ipv6Slash64s }: Extent): string[] {
  return [grouped(ipv4Addresses), grouped(ipv6Slash64s)];
}

function pairOf({ before, after }: Pair<number>): string[] {
  return [before, after].map((figure) => (figure === undefined ? '-' : grouped(figure)));
}

function signed(count: number): string {
  return count > 0 ? `+${grouped(count)}` : grouped(count === 0 ? 0 : count);
}

function isNothing({ ipv4Addresses, ipv6Slash64s }: Extent): boolean {
  return ipv4Addresses === 0 && ipv6Slash64s === 0;
}

function restOf(count: number, what: string): string[] {
  return count > MOST_SHOWN ? [`and ${count - MOST_SHOWN} more ${what}`] : [];
}
