import { join } from 'node:path';
import { readColumns, writeColumns, type ColumnSpec } from '../table/column-file.js';
import { Uint32Column } from '../table/slots.js';
import { comparePrefixes, covers, lastNotBehind, NO_PARENT, parentsOf, prefixOrder } from './prefix-order.js';
import { append, filled } from './prefix-rows.js';
import type { RpkiState, Vrps } from './registries.js';
import type { VrpRows } from './vrp-rows.js';

/**
 * Distinct prefixes in address order, covering prefixes first. The payloads of prefix p are `starts[p]` up to (not
 * including) `starts[p + 1]`.
 */
const VRP_COLUMNS = {
  addresses: 'u32',
  /** In bits of the 128-bit space, like `maxLengths`. */
  lengths: 'u8',
  /** The position of the longest covering prefix, or NO_PARENT. */
  parents: 'u32',
  starts: 'u32',
  asns: 'u32',
  maxLengths: 'u8',
} as const satisfies ColumnSpec;
const VRP_FILE = 'vrps.columns';

/** Writes the distinct payloads for `readVrps`. Repeated payloads are noted as duplicates. */
export function writeVrps(dir: string, collected: VrpRows): void {
  const { rows } = collected;
  const [asn, maxLength] = [rows.column('asn'), rows.column('maxLength')];
  const prefixes = new Uint32Column();
  const starts = new Uint32Column();
  const payloads = distinctPayloads(collected);
  payloads.forEach((row, at) => {
    if (at > 0 && comparePrefixes(rows, payloads[at - 1]!, row) === 0) return;
    append(prefixes, row);
    append(starts, at);
  });
  append(starts, payloads.length);
  const distinct = rows.pick(filled(prefixes));
  writeColumns(join(dir, VRP_FILE), VRP_COLUMNS, {
    ...distinct,
    parents: parentsOf(distinct, prefixes.length),
    starts: filled(starts),
    asns: payloads.map((row) => asn[row]!),
    maxLengths: Uint8Array.from(payloads, (row) => maxLength[row]!),
  });
}

/** Returns the positions of the distinct accepted payloads, in the order of their prefixes. */
function distinctPayloads(collected: VrpRows): Uint32Array {
  const { rows } = collected;
  const [asn, maxLength] = [rows.column('asn'), rows.column('maxLength')];
  const tie = (a: number, b: number): number => asn[a]! - asn[b]! || maxLength[a]! - maxLength[b]!;
  const order = prefixOrder(rows, rows.count, tie);
  const payloads = new Uint32Column(rows.count);
  for (const row of order) {
    if (collected.isDropped(row)) continue;
    const last = payloads.length > 0 ? payloads.values[payloads.length - 1]! : undefined;
    if (last !== undefined && comparePrefixes(rows, last, row) === 0 && tie(last, row) === 0) {
      collected.noteDuplicate(row);
    } else {
      append(payloads, row);
    }
  }
  return filled(payloads);
}

/** Reads the columns that `writeVrps` writes. Throws ColumnFileError. */
export function readVrps(dir: string): Vrps {
  const columns = readColumns(join(dir, VRP_FILE), VRP_COLUMNS);
  const { lengths, parents, starts, asns, maxLengths } = columns;
  /** Validates a route (RFC 6811 §2). A payload of AS0 covers a route but never matches (RFC 6483 §4). */
  const stateOf = (address: Uint32Array, length: number, origin: number | undefined): RpkiState => {
    let prefix = lastNotBehind(columns, lengths.length, address, length);
    if (prefix < 0) return 'unknown';
    while (!covers(columns, prefix, address, 0)) {
      prefix = parents[prefix]!;
      if (prefix === NO_PARENT) return 'unknown';
    }
    // All covering prefixes are this one and its parents.
    for (; prefix !== NO_PARENT; prefix = parents[prefix]!) {
      for (let vrp = starts[prefix]!; vrp < starts[prefix + 1]!; vrp++) {
        if (asns[vrp] === origin && origin !== 0 && maxLengths[vrp]! >= length) return 'valid';
      }
    }
    return 'invalid';
  };
  return { count: asns.length, stateOf };
}
