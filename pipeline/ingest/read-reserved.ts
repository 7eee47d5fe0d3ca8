import { readFile } from 'node:fs/promises';
import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import type { Tally } from '../input/tally.js';
import { parseSpecialPurposeRegistry, type SpecialPurposeRange } from '../net/special-purpose.js';
import type { FlatTable } from '../table/flat-table.js';
import { reservedSpace, withheldSpace } from '../table/reserved-space.js';
import { allocatedIpv6, IPV6_ASSIGNMENTS, readAddressBlocks } from '../registry/iana-blocks.js';
import { REGISTRY_FOLDER } from '../snapshot/sources.js';

/** Reserved space from IANA's registries, and the other files of a source. */
export interface ReservedAndOwn {
  /** Reserved space, about which rows are rejected, and space that is not delegated. */
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
  const assignments = registries.filter(({ name }) => name === IPV6_ASSIGNMENTS);
  const special = registries.filter((file) => !assignments.includes(file));
  const ranges = await Promise.all(special.map((file) => readRegistry(file, tallyOf(file), parseRanges)));
  const blocks = await Promise.all(
    assignments.map((file) => readRegistry(file, tallyOf(file), readAddressBlocks)),
  );
  return {
    reserved:
      blocks.length === 0
        ? reservedSpace(ranges.flat())
        : withheldSpace(ranges.flat(), allocatedIpv6(blocks.flat())),
    own: files.filter((file) => !registries.includes(file)),
  };
}

/** Returns the content of one IANA registry. Throws FeedError `header` for any other file. */
async function readRegistry<T>(
  file: OpenFile,
  tally: Tally,
  parse: (xml: string, tally: Tally) => readonly T[],
): Promise<readonly T[]> {
  const xml = await readFile(file.path, 'utf8');
  file.onRead(file.sizeBytes);
  try {
    const rows = parse(xml, tally);
    if (rows.length === 0) throw new Error('no <record> of this registry found');
    return rows;
  } catch (error) {
    throw new FeedError('header', file.id, error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

function parseRanges(xml: string, tally: Tally): readonly SpecialPurposeRange[] {
  const ranges = parseSpecialPurposeRegistry(xml);
  ranges.forEach(() => {
    tally.accept();
  });
  return ranges;
}
