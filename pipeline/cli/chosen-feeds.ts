import { RIB } from '../bgp/rib-source.js';
import { FEEDS } from '../feeds/catalogue.js';
import { conflictOfTerms, type LicensedSource } from '../release/dataset-terms.js';
import { LISTS } from '../lists/catalogue.js';
import { ISP_FEEDS } from '../feeds/feed-id.js';
import { IANA } from '../registry/iana.js';
import { ROUTING_SOURCES } from '../snapshot/routing-sources.js';
import type { BuildSettings } from '../stage/settings.js';
import { UsageError } from './usage-error.js';

/**
 * Parses BUILD_FEEDS: comma-separated ids of the feeds, routing sources and lists to build from; empty for all. A
 * routing table is always read with IANA's registries, of which the project has copies: it may announce reserved
 * space. Throws UsageError for an unknown id, and when no feed is named.
 */
export function parseBuildFeeds(text: string): Pick<BuildSettings, 'feeds' | 'sources' | 'lists'> {
  const ids = chosenIds('BUILD_FEEDS', text) ?? KNOWN;
  const chosen = {
    feeds: FEED_IDS.filter((id) => ids.includes(id)),
    sources: ROUTING_IDS.filter((id) => ids.includes(id) || (id === IANA.id && ids.includes(RIB.id))),
    lists: LIST_IDS.filter((id) => ids.includes(id)),
  };
  if (chosen.feeds.length > 0) return chosen;
  throw new UsageError(
    `invalid BUILD_FEEDS "${text}": expected at least one geolocation feed: ${FEED_IDS.join(', ')}`,
  );
}

/**
 * Parses DATASET_FEEDS: the feeds, routing sources and lists that go into downloadable files. By default these are the
 * sources under licences that require at most attribution. Named feeds replace the default feeds; named routing sources
 * and lists are added to the default ones; `-<id>` leaves a source out. Throws UsageError for an unknown id, and for
 * licences that cannot be combined in one file.
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
  // geo.mmdb, asn.mmdb and isp.mmdb are separate files. isp.mmdb also has names of ISPs and of networks.
  const namesOfIsps = feeds.filter(({ id }) => ISP_FEEDS.includes(id));
  for (const together of [feeds, sources, [...lists, ...namesOfIsps, ...sources]]) {
    const conflict = conflictOfTerms(together);
    if (conflict !== undefined) throw new UsageError(`invalid DATASET_FEEDS: ${conflict}`);
  }
  return [...feeds, ...sources, ...lists].map(({ id }) => id);
}

/** Splits the ids into those to add and those to leave out (`-<id>`). */
function datasetIds(text: string): { readonly named: string[]; readonly leftOut: string[] } {
  const ids = textsIn(text) ?? [];
  const named = ids.filter((id) => !id.startsWith('-'));
  const leftOut = ids.filter((id) => id.startsWith('-')).map((id) => id.slice(1));
  refuseUnknown('DATASET_FEEDS', [...named, ...leftOut]);
  const both = named.filter((id) => leftOut.includes(id));
  if (both.length === 0) return { named, leftOut };
  throw new UsageError(`invalid DATASET_FEEDS: "${both.join('", "')}" is both named and left out`);
}

const FEED_IDS: readonly string[] = FEEDS.map(({ id }) => id);
const ROUTING_IDS: readonly string[] = ROUTING_SOURCES.map(({ id }) => id);
const LIST_IDS: readonly string[] = LISTS.map(({ id }) => id);
const KNOWN: readonly string[] = [...FEED_IDS, ...ROUTING_IDS, ...LIST_IDS];

/** The ids in a variable; absent when it is empty. */
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
    `invalid ${variable}: unknown id "${unknown.join('", "')}": expected ${KNOWN.join(', ')}`,
  );
}
