import { join } from 'node:path';
import { GAZETTEER_SOURCE } from '../gazetteer/source.js';
import type { ManifestInput } from '../release/contract.js';
import { keyOfFiles } from './inputs.js';

/** Characters of a key that a name in the cache carries. */
const KEY_CHARACTERS = 16;

/** Folder of a feed's normalised table. */
export function tableDir(outputDir: string, feed: string, key: string): string {
  return join(outputDir, 'cache', 'tables', `${feed}-${key.slice(0, KEY_CHARACTERS)}`);
}

/** File of a gazetteer. */
export function gazetteerPath(outputDir: string, key: string): string {
  return join(outputDir, 'cache', 'gazetteer', `${key.slice(0, KEY_CHARACTERS)}.json`);
}

/** Where the result of reading an input of a release is kept; absent when none of its files was used. */
export function cachedResultOf(outputDir: string, input: ManifestInput): string | undefined {
  if (input.files.length === 0) return undefined;
  const key = keyOfFiles(`${input.feed} ${input.adapterVersion}`, input.files);
  return input.feed === GAZETTEER_SOURCE.id
    ? gazetteerPath(outputDir, key)
    : tableDir(outputDir, input.feed, key);
}
