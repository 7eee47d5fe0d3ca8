import { FEEDS } from '../feeds/catalogue.js';
import type { Feed, FeedFile } from '../feeds/feed.js';
import { matchesName } from '../feeds/name-pattern.js';
import { RDAP_FILES, RDAP_FOLDER } from '../feeds/rdap-downloads.js';
import { DOWNLOADS } from '../feeds/routing-downloads.js';
import type { Source } from '../feeds/source.js';
import { GAZETTEER_FILES, GAZETTEER_ID } from '../gazetteer/source.js';
import { listById, LISTS } from './lists.js';
import { ROUTING_SOURCES } from './routing-sources.js';

/** Folder of IANA's registries below the input directory. */
export const REGISTRY_FOLDER = 'iana';

/** A file that a feed, a source, a list or the gazetteer is read from. */
export interface InputFile extends FeedFile {
  /** It is read with every feed and list and belongs to none: where it alone is there, nothing of the feed is. */
  readonly shared?: true;
}

/** IANA's special-purpose registries; every feed and list is read against them. */
export const REGISTRY_FILES: readonly InputFile[] = ['ipv4', 'ipv6'].map((family) => ({
  folder: REGISTRY_FOLDER,
  name: `iana-${family}-special-registry.xml`,
  container: 'plain',
  required: true,
  take: 'all',
  shared: true,
  download: DOWNLOADS[`iana-${family}-special-registry.xml`]!,
}));

/** Ids of all sources of a build: the feeds, the routing sources, the lists and the gazetteer. */
export const SOURCES: readonly string[] = [
  ...[...FEEDS, ...ROUTING_SOURCES, ...LISTS].map(({ id }) => id),
  GAZETTEER_ID,
];

/** What `fetch` downloads: all of these, and what the server alone reads. */
export const FETCHED: readonly string[] = [...SOURCES, RDAP_FOLDER];

/** The feed with this id. Throws for an id that no feed has: the plan was made from the same catalogue. */
export function feedById(id: string): Feed {
  const feed = FEEDS.find((candidate) => candidate.id === id);
  if (!feed) throw new Error(`no feed "${id}"; there are ${FEEDS.map((known) => known.id).join(', ')}`);
  return feed;
}

/** The routing source with this id; absent for a feed's. */
export function routingSourceById(id: string): Source | undefined {
  return ROUTING_SOURCES.find((candidate) => candidate.id === id);
}

/** The files that a source (a feed, a routing source, a list or the gazetteer) is read from. */
export function filesOfSource(source: string): readonly InputFile[] {
  if (source === GAZETTEER_ID) return GAZETTEER_FILES;
  if (source === RDAP_FOLDER) return RDAP_FILES;
  const { files } = listById(source) ?? routingSourceById(source) ?? feedById(source);
  return routingSourceById(source) ? files : [...files, ...REGISTRY_FILES];
}

/** Whether a source is one that a build goes on without: nobody has asked for more than what is there of it. */
export function mayBeAbsent(source: string): boolean {
  return routingSourceById(source) !== undefined || listById(source) !== undefined;
}

/** Whether the project brings a copy of the file, for those who provide none. */
export function comesWithProject({ folder, name }: FeedFile): boolean {
  return REGISTRY_FILES.some((file) => file.folder === folder && file.name === name);
}

/**
 * The declared file, as `<folder>/<name>` with its `*`, that a file of this id was found as; else the id itself. Of
 * snapshots in folders of their own (`rib/rrc00/…`) each folder is one.
 */
export function seriesOf(fileId: string): string {
  const sources: readonly { readonly files: readonly InputFile[] }[] = [
    ...FEEDS,
    ...ROUTING_SOURCES,
    ...LISTS,
  ];
  const declared = [...sources.flatMap(({ files }) => files), ...GAZETTEER_FILES, ...REGISTRY_FILES];
  const found = declared.find(({ folder, name }) => matchesName(`${folder}/${name}`, fileId));
  if (!found) return fileId;
  const { folder, name, take } = found;
  return take === 'latest' ? `${folderOf(fileId)}/${lastPart(name)}` : `${folder}/${name}`;
}

function folderOf(fileId: string): string {
  return fileId.slice(0, fileId.lastIndexOf('/'));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
