import { join } from 'node:path';
import { readColumns, writeColumns } from '../table/column-file.js';
import { readTable, TableFile, writeTable } from '../table/table-file.js';
import type { LookedUpFeed } from '../evaluate/claim-lookup.js';
import type { MergedFeed } from '../merge/merge-part.js';
import { placesOf } from '../merge/places.js';
import { readResolvedClaims, resolveClaims, writeResolvedClaims } from '../merge/resolved-claims.js';
import { ABSENT } from '../table/zip.js';
import { usesOf, type UsedTable } from './free-space.js';
import type { Gazetteers, GeoFeed } from './geo-feeds.js';
import { GAZETTEER_OF, GEO_EDITIONS, type GeoEdition } from './geo-inputs.js';

/** Part of the key of the files below; raise it with every change to them. */
export const CLAIMS_VERSION = 1;

/** The files of a folder with the resolved claims of a feed. */
const TABLE = 'table';
const USES = 'uses';
const UNSTATED_TABLE = 'unstated-table';
const UNSTATED_CLAIMS = 'unstated-claims';
const claimsIn = (edition: GeoEdition): string => `${edition}-claims`;

/**
 * Writes the table of a feed and its resolved claims, in each edition in which it is, for the jobs that merge the feeds.
 * For a feed with statements of operators, also writes its claims without them.
 */
export function writeGeoClaims(dir: string, geoFeed: GeoFeed, gazetteers: Gazetteers): void {
  const { feed, table, claims, openClaims, statements } = geoFeed;
  const write = (name: string, edition: GeoEdition, own: GeoFeed['claims']): void => {
    const places = placesOf(gazetteers[GAZETTEER_OF[edition]]);
    writeResolvedClaims(join(dir, name), resolveClaims(feed, own, places), places);
  };
  writeTable(join(dir, TABLE), table);
  writeColumns(join(dir, USES), USES_SPEC, { uses: usesOf(claims) });
  write(claimsIn('served'), 'served', claims);
  if (openClaims) write(claimsIn('download'), 'download', openClaims);
  if (!statements) return;
  const { unstated } = statements;
  writeTable(join(dir, UNSTATED_TABLE), unstated.table);
  write(UNSTATED_CLAIMS, 'served', unstated.claims);
}

const USES_SPEC = { uses: 'u8' } as const;

/** A folder of `writeGeoClaims`. */
export interface GeoClaimsFolder {
  readonly feed: MergedFeed['feed'];
  readonly dir: string;
  /** Whether the feed is in the edition for download. */
  readonly isOpen: boolean;
}

/** Opens a feed for the merge; its table is read piece by piece. Close the table afterwards. */
export function openMergedFeed({
  feed,
  dir,
  isOpen,
}: GeoClaimsFolder): MergedFeed & { readonly table: TableFile } {
  const editions = GEO_EDITIONS.map((edition) => {
    return edition === 'served' || isOpen ? readResolvedClaims(join(dir, claimsIn(edition))) : undefined;
  });
  return { feed, table: new TableFile(join(dir, TABLE)), editions };
}

/** Reads the table of a feed and what its claims say about use. */
export function readUsedTable({ feed, dir }: GeoClaimsFolder): UsedTable {
  return { feed, table: readTable(join(dir, TABLE)), uses: readColumns(join(dir, USES), USES_SPEC).uses };
}

/** Reads what a feed says without the statements of operators. */
export function readUnstated({ dir }: GeoClaimsFolder, hasStatements: boolean): LookedUpFeed {
  const { ids, at } = readResolvedClaims(join(dir, hasStatements ? UNSTATED_CLAIMS : claimsIn('served')));
  return {
    table: readTable(join(dir, hasStatements ? UNSTATED_TABLE : TABLE)),
    claimOf: (recordId) => (ids[recordId] === ABSENT ? undefined : at(ids[recordId]!)),
  };
}
