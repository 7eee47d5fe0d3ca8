import { FEEDS } from '../feeds/catalogue.js';
import type { Feed, FeedFile } from '../feeds/feed.js';
import { GAZETTEER_FILES, GAZETTEER_ID } from '../gazetteer/source.js';
import { matchesName } from '../feeds/name-pattern.js';

/** Folder of IANA's registries below the input directory. */
export const REGISTRY_FOLDER = 'iana';

/** IANA's special-purpose registries; every feed is read against them. */
export const REGISTRY_FILES: readonly FeedFile[] = ['ipv4', 'ipv6'].map((family) => ({
  folder: REGISTRY_FOLDER,
  name: `iana-${family}-special-registry.xml`,
  container: 'plain',
  required: true,
  take: 'all',
  download: {
    url: `https://www.iana.org/assignments/iana-${family}-special-registry/iana-${family}-special-registry.xml`,
    minBytes: 4_000,
  },
}));

/** Ids of all sources of a build: the feeds and the gazetteer. */
export const SOURCES: readonly string[] = [...FEEDS.map(({ id }) => id), GAZETTEER_ID];

/** The feed with this id. Throws for an id that no feed has: the plan was made from the same catalogue. */
export function feedById(id: string): Feed {
  const feed = FEEDS.find((candidate) => candidate.id === id);
  if (!feed) throw new Error(`no feed "${id}"; there are ${FEEDS.map((known) => known.id).join(', ')}`);
  return feed;
}

/** The files that a source (a feed or the gazetteer) is read from. */
export function filesOfSource(source: string): readonly FeedFile[] {
  return source === GAZETTEER_ID ? GAZETTEER_FILES : [...feedById(source).files, ...REGISTRY_FILES];
}

/** The declared file, as `<folder>/<name>` with its `*`, that a file of this id was found as; else the id itself. */
export function seriesOf(fileId: string): string {
  const declared = [...FEEDS.flatMap(({ files }): readonly FeedFile[] => files), ...GAZETTEER_FILES];
  const ids = [...declared, ...REGISTRY_FILES].map(({ folder, name }) => `${folder}/${name}`);
  return ids.find((id) => matchesName(id, fileId)) ?? fileId;
}
