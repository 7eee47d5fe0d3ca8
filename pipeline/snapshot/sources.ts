import { IPV6_ASSIGNMENTS } from '../registry/iana-blocks.js';
import { FEEDS } from '../feeds/catalogue.js';
import type { Feed } from '../feeds/feed.js';
import type { PublishedFile } from '../input/published-source.js';
import { matchesName } from '../input/name-pattern.js';
import { RDAP_FILES, RDAP_FOLDER } from './rdap-files.js';
import { DOWNLOADS } from '../input/routing-downloads.js';
import type { RoutingSource } from '../input/routing-source.js';
import { GAZETTEER_FILES, GAZETTEER_ID } from '../gazetteer/source.js';
import { listById, LISTS } from '../lists/catalogue.js';
import { ROUTING_SOURCES } from './routing-sources.js';

/** Folder of IANA's registries below the input directory. */
export const REGISTRY_FOLDER = 'iana';

/** A file that a feed, a source, a list or the gazetteer is read from. */
export interface InputFile extends PublishedFile {
  /**
   * Read with every feed and list, and with some routing sources. A source with only shared files has no files of its
   * own.
   */
  readonly shared?: true;
}

/**
 * IANA's special-purpose registries and its assignments of IPv6 space. Space that is reserved or not delegated is removed
 * from every feed and list.
 */
export const REGISTRY_FILES: readonly InputFile[] = [
  'iana-ipv4-special-registry.xml',
  'iana-ipv6-special-registry.xml',
  IPV6_ASSIGNMENTS,
].map((name) => ({
  folder: REGISTRY_FOLDER,
  name,
  container: 'plain',
  required: true,
  take: 'all',
  maxUnpackedBytes: 4_000_000,
  shared: true,
  download: DOWNLOADS[name]!,
}));

/** Ids of all sources of a build: the feeds, the routing sources, the lists and the gazetteer. */
export const SOURCES: readonly string[] = [
  ...[...FEEDS, ...ROUTING_SOURCES, ...LISTS].map(({ id }) => id),
  GAZETTEER_ID,
];

/** Ids that `fetch` accepts: all sources, and the files that only the server reads. */
export const FETCHED: readonly string[] = [...SOURCES, RDAP_FOLDER];

/** Returns the feed with this id. Throws for an unknown id: the plan is made from the same catalogue. */
export function feedById(id: string): Feed {
  const feed = FEEDS.find((candidate) => candidate.id === id);
  if (!feed)
    throw new Error(`unknown feed "${id}": expected one of ${FEEDS.map((known) => known.id).join(', ')}`);
  return feed;
}

/** Returns the routing source with this id, or undefined for other ids. */
export function routingSourceById(id: string): RoutingSource | undefined {
  return ROUTING_SOURCES.find((candidate) => candidate.id === id);
}

/** Returns the declared files of a source (a feed, a routing source, a list or the gazetteer). */
export function filesOfSource(source: string): readonly InputFile[] {
  if (source === GAZETTEER_ID) return GAZETTEER_FILES;
  if (source === RDAP_FOLDER) return RDAP_FILES;
  const routing = routingSourceById(source);
  if (routing && routing.cutsReserved !== true) return routing.files;
  const { files } = listById(source) ?? routing ?? feedById(source);
  return [...files, ...REGISTRY_FILES];
}

/** Whether a build reports nothing if the source has no files: routing sources and lists are optional. */
export function mayBeAbsent(source: string): boolean {
  return routingSourceById(source) !== undefined || listById(source) !== undefined;
}

/** Whether the project bundles a copy of the file. */
export function isBundled({ folder, name }: PublishedFile): boolean {
  return REGISTRY_FILES.some((file) => file.folder === folder && file.name === name);
}

/**
 * Returns the declaration that a file id belongs to, as `<folder>/<name>` with its `*`, or the id itself if there is
 * none. For snapshots in one folder per publisher (`rib/rrc00/…`) each folder is a series.
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

/** Returns whether the file of a source with this id (`<folder>/<name>`) is written by the people who run the build. */
export function isHandWritten(source: string, fileId: string): boolean {
  return filesOfSource(source).some(
    ({ handWritten, folder, name }) => handWritten === true && fileId === `${folder}/${name}`,
  );
}
