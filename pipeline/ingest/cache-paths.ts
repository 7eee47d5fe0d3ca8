import { join } from 'node:path';
import { isGazetteerSource } from '../gazetteer/source.js';
import type { ManifestInput } from '../release/contract.js';
import { keyOfFiles } from '../snapshot/input-file.js';
import type { SnapshotFile } from '../snapshot/snapshot.js';
import { cacheDir } from '../store/kept-folder.js';
import { LIST_DAYS_VERSION } from './list-days.js';
import { NORMALISED_FOLDERS } from './cache-folders.js';
import { listById } from '../lists/catalogue.js';
import { routingSourceById } from '../snapshot/sources.js';
import { RESERVED_SPACE_VERSION } from '../table/reserved-space.js';

/** Length of the key in a folder name of the cache. */
const KEY_CHARACTERS = 16;

/** Returns the name of the folder of a normalised feed, routing source or list. */
export function normalisedName(id: string, key: string): string {
  const folder = NORMALISED_FOLDERS[listById(id) ? 'list' : routingSourceById(id) ? 'source' : 'feed'];
  return `${folder}/${id}-${key.slice(0, KEY_CHARACTERS)}`;
}

/** Returns the name of the folder of a gazetteer's editions. */
export function gazetteerName(key: string): string {
  return `gazetteer/${key.slice(0, KEY_CHARACTERS)}`;
}

/** `full` contains every source, `open` only sources whose licences permit redistribution. */
export const EDITIONS = ['full', 'open'] as const;
export type EditionName = (typeof EDITIONS)[number];

/** Returns the path of an edition in such a folder. */
export function gazetteerEdition(dir: string, edition: EditionName): string {
  return join(dir, `${edition}.json`);
}

/** Returns the cache key of a gazetteer made from these files by this version of the code. */
export function keyOfGazetteer(
  version: number,
  files: readonly Pick<SnapshotFile, 'id' | 'sha256'>[],
): string {
  return keyOfFiles(`gazetteer ${version}`, files);
}

/** Returns the cache key of these files normalised by this version of an adapter. A list also stores its days. */
export function keyOfNormalised(
  id: string,
  version: number,
  files: readonly Pick<SnapshotFile, 'id' | 'sha256'>[],
): string {
  const days = listById(id) ? ` days ${LIST_DAYS_VERSION}` : '';
  return keyOfFiles(`${id} ${version}${days} reserved ${RESERVED_SPACE_VERSION}`, files);
}

/**
 * Returns the name of the folder of a normalised input, or undefined if none of its files was used or it belongs to the
 * gazetteer.
 */
export function normalisedNameOf(input: ManifestInput): string | undefined {
  if (input.files.length === 0 || isGazetteerSource(input.feed)) return undefined;
  return normalisedName(input.feed, keyOfNormalised(input.feed, input.adapterVersion, input.files));
}

/** Returns the path of the folder of a normalised input, or undefined where it has no name. */
export function normalisedDirOf(outputDir: string, input: ManifestInput): string | undefined {
  const name = normalisedNameOf(input);
  return name === undefined ? undefined : join(cacheDir(outputDir), name);
}

/** Returns the name of the folder of the gazetteer that was made from a release's inputs; undefined without one. */
export function gazetteerNameOf(inputs: readonly ManifestInput[]): string | undefined {
  const own = inputs.filter(({ feed, files }) => isGazetteerSource(feed) && files.length > 0);
  if (own.length === 0) return undefined;
  const key = keyOfGazetteer(
    own[0]!.adapterVersion,
    own.flatMap(({ files }) => files),
  );
  return gazetteerName(key);
}

/** Returns the path of the folder of the gazetteer that was made from a release's inputs; undefined without one. */
export function cachedGazetteerOf(outputDir: string, inputs: readonly ManifestInput[]): string | undefined {
  const name = gazetteerNameOf(inputs);
  return name === undefined ? undefined : join(cacheDir(outputDir), name);
}
