import { join } from 'node:path';
import { writeClaims } from '../feeds/claim-file.js';
import { LayeredClaims } from '../feeds/claim-sink.js';
import type { Feed, OpenFile } from '../feeds/feed.js';
import { readReserved } from './read-reserved.js';
import type { Reader, Reading, Written } from './reader.js';

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
  const { reserved, own } = await readReserved(files, tallyOf);
  const claims = new LayeredClaims(feed.layers.length, reserved, { foldMapped: feed.foldMapped ?? false });
  await feed.read(own, (file) => claims.sinkFor(file, tallyOf(file)));
  judge();
  const networks = claims.finish((said) => feed.combine(said));
  const written = writeClaims(tableIn(dir), feed.id, networks);
  return { networks: networks.table.networkCount(), digests: { [TABLE]: written } };
}
