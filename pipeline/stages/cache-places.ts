import { join } from 'node:path';
import { isGazetteerSource } from '../gazetteer/source.js';
import type { ManifestInput } from '../release/contract.js';
import { keyOfFiles } from './inputs.js';
import type { SnapshotFile } from './snapshot.js';
import { LIST_DAYS_VERSION } from './list-days.js';
import { listById } from './lists.js';
import { routingSourceById } from './sources.js';
import { RESERVED_SPACE_VERSION } from '../table/reserved-space.js';

/** Characters of a key that a name in the cache carries. */
const KEY_CHARACTERS = 16;

/** Folders of the cache that readings are kept in: of feeds, of routing sources, and of lists. */
const READINGS = { feed: 'tables', source: 'sources', list: 'lists' } as const;

/** Folders of the cache whose entries are made of publishers' files and may be made again. */
export const MADE_FOLDERS: readonly string[] = [...Object.values(READINGS), 'gazetteer'];

/** Folder of what was read of a feed, a routing source or a list. */
export function readingDir(outputDir: string, id: string, key: string): string {
  const folder = READINGS[listById(id) ? 'list' : routingSourceById(id) ? 'source' : 'feed'];
  return join(outputDir, 'cache', folder, `${id}-${key.slice(0, KEY_CHARACTERS)}`);
}

/** Folder of a gazetteer's editions. */
export function gazetteerDir(outputDir: string, key: string): string {
  return join(outputDir, 'cache', 'gazetteer', key.slice(0, KEY_CHARACTERS));
}

/** `full` is made from every source, `open` from those whose licences allow it in a file that others download. */
export const EDITIONS = ['full', 'open'] as const;
export type EditionName = (typeof EDITIONS)[number];

/** An edition in such a folder. */
export function gazetteerEdition(dir: string, edition: EditionName): string {
  return join(dir, `${edition}.json`);
}

/** The key of what a version of the code makes of the gazetteer's files. */
export function keyOfGazetteer(
  version: number,
  files: readonly Pick<SnapshotFile, 'id' | 'sha256'>[],
): string {
  return keyOfFiles(`gazetteer ${version}`, files);
}

/** The key of what a version of an adapter reads from these files; beside what a list says its days are kept. */
export function keyOfReading(
  id: string,
  version: number,
  files: readonly Pick<SnapshotFile, 'id' | 'sha256'>[],
): string {
  const days = listById(id) ? ` days ${LIST_DAYS_VERSION}` : '';
  return keyOfFiles(`${id} ${version}${days} reserved ${RESERVED_SPACE_VERSION}`, files);
}

/** Where what was read of an input is kept; absent when none of its files was used, and for a gazetteer's input. */
export function keptReadingOf(outputDir: string, input: ManifestInput): string | undefined {
  if (input.files.length === 0 || isGazetteerSource(input.feed)) return undefined;
  const key = keyOfReading(input.feed, input.adapterVersion, input.files);
  return readingDir(outputDir, input.feed, key);
}

/** Where the gazetteer that a release's inputs gave is kept; absent when there was none. */
export function cachedGazetteerOf(outputDir: string, inputs: readonly ManifestInput[]): string | undefined {
  const own = inputs.filter(({ feed, files }) => isGazetteerSource(feed) && files.length > 0);
  if (own.length === 0) return undefined;
  const key = keyOfGazetteer(
    own[0]!.adapterVersion,
    own.flatMap(({ files }) => files),
  );
  return gazetteerDir(outputDir, key);
}
