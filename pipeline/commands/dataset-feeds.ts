import { FEEDS } from '../feeds/catalogue.js';
import { conflictOfTerms } from '../release/dataset-terms.js';
import { UsageError } from './usage-error.js';

/**
 * The feeds that go into downloadable files: those that DATASET_FEEDS names (ids with commas between), or all whose
 * licences ask for no more than attribution. Throws UsageError for unknown ids and for licences that cannot be met
 * in one file.
 */
export function parseDatasetFeeds(text: string): string[] {
  if (text.trim() === '') return FEEDS.filter(({ licence }) => licence.terms === 'free').map(({ id }) => id);
  const ids = text.split(',').map((id) => id.trim());
  const chosen = FEEDS.filter(({ id }) => ids.includes(id));
  const unknown = ids.filter((id) => !chosen.some((feed) => feed.id === id));
  if (unknown.length > 0) {
    const known = FEEDS.map(({ id }) => id).join(', ');
    throw new UsageError(`DATASET_FEEDS: there is no feed "${unknown.join('", "')}"; there are ${known}`);
  }
  const conflict = conflictOfTerms(chosen);
  if (conflict !== undefined) throw new UsageError(`DATASET_FEEDS: ${conflict}`);
  return chosen.map(({ id }) => id);
}
