import { join } from 'node:path';
import { writeClaimTable } from '../input/claims/claim-table-file.js';
import { CLAIM_FORMAT } from '../input/claims/claim.js';
import { LayeredClaims } from '../input/claims/layered-claims.js';
import type { Feed } from '../feeds/feed.js';
import type { OpenFile } from '../input/published-source.js';
import { readReserved } from './read-reserved.js';
import type { Reader, ReaderContext, Written } from './reader.js';

/** Returns the path of the normalised table in a feed's folder. */
export function tableIn(dir: string): string {
  return join(dir, TABLE);
}

/** Returns the path of a feed's claims without the statements of operators (`Feed.combineUnstated`). */
export function unstatedIn(dir: string): string {
  return join(dir, UNSTATED);
}

/** Returns the reader of a feed. It reads the feed's files and IANA's registries into a normalised table. */
export function feedReader(feed: Feed): Reader {
  return { source: feed, normalise: (files, context) => normaliseFeed(feed, files, context) };
}

const TABLE = 'table.mmdb';
const UNSTATED = 'unstated.mmdb';

async function normaliseFeed(
  feed: Feed,
  files: readonly OpenFile[],
  { dir, tallyOf, judge }: ReaderContext,
): Promise<Written> {
  const { reserved, own } = await readReserved(files, tallyOf);
  const claims = new LayeredClaims(feed.layers.length, reserved, { foldMapped: feed.foldMapped ?? false });
  await feed.read(own, (file) => claims.sinkFor(file, tallyOf(file)));
  judge();
  const networks = claims.finish((said) => feed.combine(said));
  const written = writeClaimTable(tableIn(dir), feed.id, networks, CLAIM_FORMAT);
  const digests = { [TABLE]: written };
  if (feed.combineUnstated) {
    const unstated = claims.finish((said) => feed.combineUnstated!(said));
    Object.assign(digests, { [UNSTATED]: writeClaimTable(unstatedIn(dir), feed.id, unstated, CLAIM_FORMAT) });
  }
  return { networks: networks.table.networkCount(), digests };
}
