import { join } from 'node:path';
import type { DelegationRecord } from '../input/rows/delegation-rows.js';
import type { Reason } from '../input/tally.js';
import { newAddress } from '../net/address.js';
import { lastAddressInto, PrefixBuffer } from '../net/prefix.js';
import { splitRange } from '../net/range.js';
import { readColumns, writeColumns, type ColumnSpec } from '../table/column-file.js';
import type { DelegatedRecords } from './delegated-records.js';
import { comparePrefixes, prefixOrder } from './prefix-order.js';
import { PrefixRows } from './prefix-rows.js';
import { DELEGATED_STATUSES, REGISTRIES, type Allocation, type Delegations } from './registries.js';

/** Distinct blocks in address order, covering blocks first. */
const BLOCK_COLUMNS = {
  addresses: 'u32',
  lengths: 'u8',
  registries: 'u8',
  statuses: 'u8',
  /** Positions in `countryCodes` and `holderIds`; position 0 means none. */
  countries: 'u16',
  holders: 'u32',
  countryCodes: 'text',
  holderIds: 'text',
} as const satisfies ColumnSpec;
const BLOCK_FILE = 'blocks.columns';

/** Receives records that another record about the same block or number replaces. */
export interface ReplacedVisitor {
  replaced(record: number, by: number): void;
}

/** Collects delegated address blocks. A block whose size is not a power of two is split into prefixes. */
export class DelegatedBlocks {
  readonly #records: DelegatedRecords;
  readonly #rows = new PrefixRows(['record']);
  readonly #prefix = new PrefixBuffer();
  readonly #start = newAddress();
  readonly #end = newAddress();

  constructor(records: DelegatedRecords) {
    this.#records = records;
  }

  /** Whether the last ipv6 record had host bits set; they are cleared. */
  get hadHostBits(): boolean {
    return this.#prefix.hadHostBits;
  }

  /** Reads the block of an ipv4 or ipv6 record. Returns the reason if it is rejected. */
  read(record: DelegationRecord): Reason | undefined {
    if (record.type === 'ipv4') {
      return record.readIpv4(this.#start, this.#end) ?? (this.#end[3]! < MULTICAST ? undefined : 'reserved');
    }
    const refused = record.readIpv6(this.#prefix);
    if (refused !== undefined) return refused;
    this.#start.set(this.#prefix.address);
    lastAddressInto(this.#start, this.#prefix.length, this.#end);
    return isGlobalUnicast(this.#start[0]!) && isGlobalUnicast(this.#end[0]!) ? undefined : 'reserved';
  }

  /** Adds the last read block for the record at this position. */
  add(record: number): void {
    splitRange(this.#start, this.#end, (address, length) => {
      const row = this.#rows.add(address, length);
      this.#rows.column('record')[row] = record;
    });
  }

  /** Writes the blocks for `readDelegatedBlocks`. */
  write(dir: string, visitor: ReplacedVisitor): void {
    const rows = this.#rows;
    const kept = Uint32Array.from(this.#distinct(visitor));
    const records = kept.map((row) => rows.column('record')[row]!);
    const { registries, statuses, countries, holders, countryCodes, holderIds } = this.#records;
    writeColumns(join(dir, BLOCK_FILE), BLOCK_COLUMNS, {
      ...rows.pick(kept),
      registries: Uint8Array.from(records, (record) => registries.values[record]!),
      statuses: Uint8Array.from(records, (record) => statuses.values[record]!),
      countries: Uint16Array.from(records, (record) => countries.values[record]!),
      holders: records.map((record) => holders.values[record]!),
      countryCodes: countryCodes.texts,
      holderIds: holderIds.texts,
    });
  }

  /** Returns one row per prefix, in address order. */
  #distinct(visitor: ReplacedVisitor): number[] {
    const rows = this.#rows;
    const order = prefixOrder(rows, rows.count);
    const record = rows.column('record');
    const kept: number[] = [];
    for (let from = 0, to; from < order.length; from = to) {
      for (to = from + 1; to < order.length; to++) {
        if (comparePrefixes(rows, order[from]!, order[to]!) !== 0) break;
      }
      const same = [...order.subarray(from, to)];
      const best = same.length === 1 ? record[same[0]!]! : this.#best(same, visitor);
      kept.push(same.find((row) => record[row] === best)!);
    }
    return kept;
  }

  #best(rows: readonly number[], visitor: ReplacedVisitor): number {
    const records = rows.map((row) => this.#rows.column('record')[row]!);
    const best = this.#records.best(records);
    for (const record of records) if (record !== best) visitor.replaced(record, best);
    return best;
  }
}

/** Reads the columns that `DelegatedBlocks` writes. Throws ColumnFileError. */
export function readDelegatedBlocks(dir: string): Delegations['allocations'] {
  const columns = readColumns(join(dir, BLOCK_FILE), BLOCK_COLUMNS);
  const { addresses, lengths, registries, statuses, countries, holders, countryCodes, holderIds } = columns;
  return {
    count: lengths.length,
    at: (index): Allocation => {
      const country = countryCodes[countries[index]!]!;
      const holder = holderIds[holders[index]!]!;
      return {
        address: addresses.subarray(4 * index, 4 * index + 4),
        length: lengths[index]!,
        registry: REGISTRIES[registries[index]!]!,
        status: DELEGATED_STATUSES[statuses[index]!]!,
        ...(country !== '' && { country }),
        ...(holder !== '' && { holder }),
      };
    },
  };
}

/** 224.0.0.0: multicast and class E are not delegated (RFC 5771, RFC 1112 §4). */
const MULTICAST = 0xe000_0000;

/** Whether the address is in 2000::/3, the only IPv6 space that registries delegate (RFC 4291 §2.4). */
function isGlobalUnicast(firstWord: number): boolean {
  return firstWord >>> 29 === 1;
}
