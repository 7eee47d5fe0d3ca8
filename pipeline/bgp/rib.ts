import { join } from 'node:path';
import { readColumns, writeColumns, type ColumnSpec, type Columns } from '../table/column-file.js';
import { PATH_COLUMNS } from './path-table.js';

/** Prefixes: four words of address each, and lengths in bits of the 128-bit space (IPv4 is at ::/96, so 96..128). */
const PREFIX_COLUMNS = { addresses: 'u32', lengths: 'u8' } as const satisfies ColumnSpec;

/** Peers: one per address and AS, even if it has sessions with several collectors. */
const PEER_COLUMNS = {
  addresses: 'u32',
  families: 'u8',
  asns: 'u32',
  /** The index of its first collector. */
  collectors: 'u16',
} as const satisfies ColumnSpec;

/** Entries grouped by prefix: those of prefix p are `starts[p]` up to (not including) `starts[p + 1]`. */
const ENTRY_COLUMNS = { starts: 'u32', peers: 'u16', paths: 'u32' } as const satisfies ColumnSpec;

/** Collectors: name, and the time of its dump in seconds since 1970. */
const COLLECTOR_COLUMNS = { names: 'text', times: 'f64' } as const satisfies ColumnSpec;

/**
 * The routes of the collectors' dumps of one night, in columns. Prefixes are in address order, a covering prefix before
 * those inside it. Every path and every prefix has at least one entry.
 */
export interface Rib {
  readonly prefixes: Columns<typeof PREFIX_COLUMNS>;
  readonly paths: Columns<typeof PATH_COLUMNS>;
  readonly peers: Columns<typeof PEER_COLUMNS>;
  readonly entries: Columns<typeof ENTRY_COLUMNS>;
  readonly collectors: Columns<typeof COLLECTOR_COLUMNS>;
}

/** Writes a RIB into a folder. */
export function saveRib(dir: string, rib: Rib): void {
  writeColumns(join(dir, 'prefixes.columns'), PREFIX_COLUMNS, rib.prefixes);
  writeColumns(join(dir, 'paths.columns'), PATH_COLUMNS, rib.paths);
  writeColumns(join(dir, 'peers.columns'), PEER_COLUMNS, rib.peers);
  writeColumns(join(dir, 'entries.columns'), ENTRY_COLUMNS, rib.entries);
  writeColumns(join(dir, 'collectors.columns'), COLLECTOR_COLUMNS, rib.collectors);
}

/** Reads a RIB from a folder. Throws ColumnFileError. */
export function loadRib(dir: string): Rib {
  return {
    prefixes: readColumns(join(dir, 'prefixes.columns'), PREFIX_COLUMNS),
    paths: readColumns(join(dir, 'paths.columns'), PATH_COLUMNS),
    peers: readColumns(join(dir, 'peers.columns'), PEER_COLUMNS),
    entries: readColumns(join(dir, 'entries.columns'), ENTRY_COLUMNS),
    collectors: readColumns(join(dir, 'collectors.columns'), COLLECTOR_COLUMNS),
  };
}
