import { FEEDS } from '../feeds/catalogue.js';
import { conflictOfTerms, type LicensedSource } from '../release/dataset-terms.js';
import { LISTS } from '../stages/lists.js';
import { ISP_FEEDS } from '../stages/isp-feeds.js';
import { ROUTING_SOURCES } from '../stages/routing-sources.js';
import type { BuildSettings } from '../stages/settings.js';
import { UsageError } from './usage-error.js';

/**
 * BUILD_FEEDS: ids of the feeds, routing sources and lists to build from, with commas between; empty for all of them.
 * Throws UsageError for unknown ids, and when no feed is among them.
 */
export function parseBuildFeeds(text: string): Pick<BuildSettings, 'feeds' | 'sources' | 'lists'> {
  const ids = chosenIds('BUILD_FEEDS', text) ?? KNOWN;
  const chosen = {
    feeds: FEED_IDS.filter((id) => ids.includes(id)),
    sources: ROUTING_IDS.filter((id) => ids.includes(id)),
    lists: LIST_IDS.filter((id) => ids.includes(id)),
  };
  if (chosen.feeds.length > 0) return chosen;
  throw new UsageError(`BUILD_FEEDS: name at least one geolocation feed: ${FEED_IDS.join(', ')}`);
}

/**
 * DATASET_FEEDS: the feeds, routing sources and lists that go into downloadable files; empty for all whose licences ask for
 * no more than attribution. Throws UsageError for unknown ids and for licences that cannot be met in one file.
 */
export function parseDatasetFeeds(text: string): string[] {
  const ids = chosenIds('DATASET_FEEDS', text);
  const choose = (known: readonly LicensedSource[]): LicensedSource[] =>
    known.filter(({ id, licence }) => (ids ? ids.includes(id) : licence.terms === 'free'));
  const [feeds, sources, lists] = [choose(FEEDS), choose(ROUTING_SOURCES), choose(LISTS)];
  // Places, routes and services go into files of their own; the last are told with names of ISPs and of networks.
  const named = [...feeds.filter(({ id }) => ISP_FEEDS.includes(id)), ...sources];
  const files = [feeds, sources, LISTS.length === 0 ? [] : [...lists, ...named]];
  for (const together of files) {
    const conflict = conflictOfTerms(together);
    if (conflict !== undefined) throw new UsageError(`DATASET_FEEDS: ${conflict}`);
  }
  return [...feeds, ...sources, ...lists].map(({ id }) => id);
}

const FEED_IDS: readonly string[] = FEEDS.map(({ id }) => id);
const ROUTING_IDS: readonly string[] = ROUTING_SOURCES.map(({ id }) => id);
const LIST_IDS: readonly string[] = LISTS.map(({ id }) => id);
const KNOWN: readonly string[] = [...FEED_IDS, ...ROUTING_IDS, ...LIST_IDS];

/** The ids that a variable names; absent when it names none. */
function chosenIds(variable: string, text: string): string[] | undefined {
  if (text.trim() === '') return undefined;
  const ids = text.split(',').map((id) => id.trim());
  const unknown = ids.filter((id) => !KNOWN.includes(id));
  if (unknown.length === 0) return ids;
  throw new UsageError(
    `${variable}: there is no feed "${unknown.join('", "')}"; there are ${KNOWN.join(', ')}`,
  );
}
