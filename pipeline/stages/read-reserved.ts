import { readFile } from 'node:fs/promises';
import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import type { Tally } from '../feeds/tally.js';
import { parseSpecialPurposeRegistry, type SpecialPurposeRange } from '../net/special-purpose.js';
import type { FlatTable } from '../table/flat-table.js';
import { reservedSpace } from '../table/reserved-space.js';
import { REGISTRY_FOLDER } from './sources.js';

/** Files of a source, IANA's registries read. */
export interface ReservedAndOwn {
  /** Space that no row may be about. */
  readonly reserved: FlatTable;
  /** The source's own files. */
  readonly own: readonly OpenFile[];
}

/** Reads IANA's registries among the files of a feed or list. Throws FeedError when one of them is none. */
export async function readReserved(
  files: readonly OpenFile[],
  tallyOf: (file: OpenFile) => Tally,
): Promise<ReservedAndOwn> {
  const registries = files.filter(({ folder }) => folder === REGISTRY_FOLDER);
  const ranges = await Promise.all(registries.map((file) => readRegistry(file, tallyOf(file))));
  return {
    reserved: reservedSpace(ranges.flat()),
    own: files.filter((file) => !registries.includes(file)),
  };
}

/** The ranges of a registry of IANA. Throws FeedError when it is none. */
async function readRegistry(file: OpenFile, tally: Tally): Promise<readonly SpecialPurposeRange[]> {
  const xml = await readFile(file.path, 'utf8');
  file.onRead(file.sizeBytes);
  try {
    const ranges = parseSpecialPurposeRegistry(xml);
    ranges.forEach(() => {
      tally.accept();
    });
    return ranges;
  } catch (error) {
    throw new FeedError('header', file.id, error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
