import { readFile } from 'node:fs/promises';
import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import type { Tally } from '../input/tally.js';
import { parseSpecialPurposeRegistry, type SpecialPurposeRange } from '../net/special-purpose.js';
import type { FlatTable } from '../table/flat-table.js';
import { reservedSpace } from '../table/reserved-space.js';
import { REGISTRY_FOLDER } from '../snapshot/sources.js';

/** Reserved space from IANA's registries, and the other files of a source. */
export interface ReservedAndOwn {
  /** Reserved space. Rows about it are rejected. */
  readonly reserved: FlatTable;
  /** The source's own files. */
  readonly own: readonly OpenFile[];
}

/**
 * Reads IANA's registries among the files of a feed or list. Throws FeedError `header` for a file that is not a
 * registry.
 */
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

/** Returns the ranges of one IANA registry. Throws FeedError `header` for any other file. */
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
