import assert from 'node:assert';
import { parsePrefix } from '../net/prefix.js';
import type { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';
import { CARRIER_TABLE, type CarrierOverlay } from './carrier-table.js';

/** Address space of carrier lines, whether announced or not. Record ids are positions in `lines`. */
export interface OverlayNetworks {
  readonly table: FlatTable;
  readonly lines: readonly string[];
}

/** Returns the networks of the static overlay; the most specific prefix counts. */
export function overlayNetworks(overlay: readonly CarrierOverlay[] = CARRIER_TABLE.overlay): OverlayNetworks {
  const table = new PrefixTable();
  overlay.forEach(({ prefix: text }, position) => {
    const prefix = parsePrefix(text);
    assert(prefix, `carrier overlay: invalid prefix "${text}"`);
    table.insert(prefix.address, prefix.length, position);
  });
  return { table: table.flatten(), lines: overlay.map(({ line }) => line) };
}
