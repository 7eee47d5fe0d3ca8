import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeClaims } from '../feeds/claim-file.js';
import { LayeredClaims } from '../feeds/claim-sink.js';
import type { Feed, OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import type { Tally } from '../feeds/tally.js';
import { parseSpecialPurposeRegistry, type SpecialPurposeRange } from '../net/special-purpose.js';
import { reservedSpace } from '../table/reserved-space.js';
import type { Reader, Reading, Written } from './reader.js';
import { REGISTRY_FOLDER } from './sources.js';

/** Path of a feed's normalised table inside the folder it is kept in. */
export function tableIn(dir: string): string {
  return join(dir, TABLE);
}

/** Reads a feed's files, and IANA's registries with them, into its normalised table. */
export function feedReader(feed: Feed): Reader {
  const { id, publisher, licence, version, tolerance } = feed;
  return {
    id,
    publisher,
    licence,
    version,
    tolerance,
    normalise: (files, reading) => normaliseFeed(feed, files, reading),
  };
}

const TABLE = 'table.mmdb';

async function normaliseFeed(
  feed: Feed,
  files: readonly OpenFile[],
  { dir, tallyOf, judge }: Reading,
): Promise<Written> {
  const registries = files.filter(({ folder }) => folder === REGISTRY_FOLDER);
  const ranges = await Promise.all(registries.map((file) => readRegistry(file, tallyOf(file))));
  const claims = new LayeredClaims(feed.layers.length, reservedSpace(ranges.flat()), {
    foldMapped: feed.foldMapped ?? false,
  });
  const rest = files.filter((file) => !registries.includes(file));
  await feed.read(rest, (file) => claims.sinkFor(file, tallyOf(file)));
  judge();
  const networks = claims.finish((said) => feed.combine(said));
  const written = writeClaims(tableIn(dir), feed.id, networks);
  return { networks: networks.table.networkCount(), digests: { [TABLE]: written } };
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
