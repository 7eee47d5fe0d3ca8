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
 * DATASET_FEEDS: the feeds, routing sources and lists that go into downloadable files. Feeds that are named take the place
 * of those whose licences ask for no more than attribution; sources and lists of that kind go in besides those named, and
 * an id behind `-` stays out. Throws UsageError for unknown ids and for licences that cannot be met in one file.
 */
export function parseDatasetFeeds(text: string): string[] {
  const { named, leftOut } = datasetIds(text);
  const isNamed = ({ id }: LicensedSource): boolean => named.includes(id);
  const isFree = ({ licence }: LicensedSource): boolean => licence.terms === 'free';
  const without = (chosen: readonly LicensedSource[]): LicensedSource[] =>
    chosen.filter(({ id }) => !leftOut.includes(id));
  const besides = (known: readonly LicensedSource[]): LicensedSource[] =>
    without(known.filter((source) => isNamed(source) || isFree(source)));
  const feeds = without(FEEDS.filter(FEEDS.some(isNamed) ? isNamed : isFree));
  const [sources, lists] = [besides(ROUTING_SOURCES), besides(LISTS)];
  // Places, routes and services go into files of their own; the last are told with names of ISPs and of networks.
  const namesOfIsps = feeds.filter(({ id }) => ISP_FEEDS.includes(id));
  for (const together of [feeds, sources, [...lists, ...namesOfIsps, ...sources]]) {
    const conflict = conflictOfTerms(together);
    if (conflict !== undefined) throw new UsageError(`DATASET_FEEDS: ${conflict}`);
  }
  return [...feeds, ...sources, ...lists].map(({ id }) => id);
}

/** The ids as they are, and those behind `-`. */
function datasetIds(text: string): { readonly named: string[]; readonly leftOut: string[] } {
  const ids = textsIn(text) ?? [];
  const named = ids.filter((id) => !id.startsWith('-'));
  const leftOut = ids.filter((id) => id.startsWith('-')).map((id) => id.slice(1));
  refuseUnknown('DATASET_FEEDS', [...named, ...leftOut]);
  const both = named.filter((id) => leftOut.includes(id));
  if (both.length === 0) return { named, leftOut };
  throw new UsageError(`DATASET_FEEDS: "${both.join('", "')}" cannot both go in and stay out`);
}

const FEED_IDS: readonly string[] = FEEDS.map(({ id }) => id);
const ROUTING_IDS: readonly string[] = ROUTING_SOURCES.map(({ id }) => id);
const LIST_IDS: readonly string[] = LISTS.map(({ id }) => id);
const KNOWN: readonly string[] = [...FEED_IDS, ...ROUTING_IDS, ...LIST_IDS];

/** The ids that a variable names; absent when it names none. */
function chosenIds(variable: string, text: string): string[] | undefined {
  const ids = textsIn(text);
  if (ids) refuseUnknown(variable, ids);
  return ids;
}

function textsIn(text: string): string[] | undefined {
  return text.trim() === '' ? undefined : text.split(',').map((id) => id.trim());
}

function refuseUnknown(variable: string, ids: readonly string[]): void {
  const unknown = ids.filter((id) => !KNOWN.includes(id));
  if (unknown.length === 0) return;
  throw new UsageError(
    `${variable}: there is no feed "${unknown.join('", "')}"; there are ${KNOWN.join(', ')}`,
  );
}
