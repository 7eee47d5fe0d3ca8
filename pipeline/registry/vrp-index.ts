import { join } from 'node:path';
import { readColumns, writeColumns, type ColumnSpec } from '../table/column-file.js';
import { Uint32Column } from '../table/slots.js';
import { append } from './delegated-records.js';
import { comparePrefixes, covers, lastNotBehind, NO_PARENT, parentsOf, prefixOrder } from './prefix-order.js';
import type { RpkiState, Vrps } from './registries.js';
import type { VrpRows } from './vrp-rows.js';

/**
 * Distinct prefixes in address order, covering ones first; the payloads of prefix p stand at `starts[p]` up to (not
 * including) `starts[p + 1]`.
 */
const VRP_COLUMNS = {
  addresses: 'u32',
  /** Bits of the 128-bit space, as `maxLengths`. */
  lengths: 'u8',
  /** The longest prefix that covers it, or NO_PARENT. */
  parents: 'u32',
  starts: 'u32',
  asns: 'u32',
  maxLengths: 'u8',
} as const satisfies ColumnSpec;
const VRP_FILE = 'vrps.columns';

/** Writes the distinct payloads for `readVrps`; what is there twice is noted. */
export function writeVrps(dir: string, collected: VrpRows): void {
  const { rows } = collected;
  const [asn, maxLength] = [rows.column('asn'), rows.column('maxLength')];
  const order = prefixOrder(rows, rows.count, (a, b) => asn[a]! - asn[b]! || maxLength[a]! - maxLength[b]!);
  const prefixes = new Uint32Column();
  const starts = new Uint32Column();
  const payloads = new Uint32Column();
  let last: number | undefined;
  for (const row of order) {
    if (collected.isDropped(row)) continue;
    const opens = last === undefined || comparePrefixes(rows, last, row) !== 0;
    if (!opens && asn[last!] === asn[row] && maxLength[last!] === maxLength[row]) {
      collected.noteDuplicate(row);
      continue;
    }
    if (opens) {
      append(prefixes, row);
      append(starts, payloads.length);
    }
    append(payloads, row);
    last = row;
  }
  append(starts, payloads.length);
  const addresses = new Uint32Array(4 * prefixes.length);
  const lengths = new Uint8Array(prefixes.length);
  for (let index = 0; index < prefixes.length; index++) {
    const row = prefixes.values[index]!;
    addresses.set(rows.addresses.subarray(4 * row, 4 * row + 4), 4 * index);
    lengths[index] = rows.lengths[row]!;
  }
  const inOrder = payloads.values.subarray(0, payloads.length);
  writeColumns(join(dir, VRP_FILE), VRP_COLUMNS, {
    addresses,
    lengths,
    parents: parentsOf({ addresses, lengths }, lengths.length),
    starts: starts.values.subarray(0, starts.length),
    asns: inOrder.map((row) => asn[row]!),
    maxLengths: Uint8Array.from(inOrder, (row) => maxLength[row]!),
  });
}

/** Reads what `writeVrps` wrote. Throws ColumnFileError. */
export function readVrps(dir: string): Vrps {
  const columns = readColumns(join(dir, VRP_FILE), VRP_COLUMNS);
  const { lengths, parents, starts, asns, maxLengths } = columns;
  /** RFC 6811 §2: a payload of AS0 covers and never matches (RFC 6483 §4). */
  const stateOf = (address: Uint32Array, length: number, origin: number | undefined): RpkiState => {
    let prefix = lastNotBehind(columns, lengths.length, address, length);
    if (prefix < 0) return 'unknown';
    while (!covers(columns, prefix, address, 0)) {
      prefix = parents[prefix]!;
      if (prefix === NO_PARENT) return 'unknown';
    }
    // Every prefix that covers the route is this one or above it.
    for (; prefix !== NO_PARENT; prefix = parents[prefix]!) {
      for (let vrp = starts[prefix]!; vrp < starts[prefix + 1]!; vrp++) {
        if (asns[vrp] === origin && origin !== 0 && maxLengths[vrp]! >= length) return 'valid';
      }
    }
    return 'invalid';
  };
  return { count: asns.length, stateOf };
}
