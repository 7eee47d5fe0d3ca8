import { FEEDS } from '../feeds/catalogue.js';
import type { Feed } from '../feeds/feed.js';
import { conflictOfTerms } from '../release/dataset-terms.js';
import { UsageError } from './usage-error.js';

/** BUILD_FEEDS: ids of the feeds to build from, with commas between; empty for all. Throws UsageError. */
export function parseBuildFeeds(text: string): string[] {
  return (chosenFeeds('BUILD_FEEDS', text) ?? FEEDS).map(({ id }) => id);
}

/**
 * DATASET_FEEDS: the feeds that go into downloadable files; empty for all whose licences ask for no more than
 * attribution. Throws UsageError for unknown ids and for licences that cannot be met in one file.
 */
export function parseDatasetFeeds(text: string): string[] {
  const chosen =
    chosenFeeds('DATASET_FEEDS', text) ?? FEEDS.filter(({ licence }) => licence.terms === 'free');
  const conflict = conflictOfTerms(chosen);
  if (conflict !== undefined) throw new UsageError(`DATASET_FEEDS: ${conflict}`);
  return chosen.map(({ id }) => id);
}

/** The feeds that a variable names, in the catalogue's order; absent when it names none. */
function chosenFeeds(variable: string, text: string): readonly Feed[] | undefined {
  if (text.trim() === '') return undefined;
  const ids = text.split(',').map((id) => id.trim());
  const unknown = ids.filter((id) => !FEEDS.some((feed) => feed.id === id));
  if (unknown.length === 0) return FEEDS.filter(({ id }) => ids.includes(id));
  const known = FEEDS.map(({ id }) => id).join(', ');
  throw new UsageError(`${variable}: there is no feed "${unknown.join('", "')}"; there are ${known}`);
}
