import { join } from 'node:path';
import type { DelegationRecord } from '../feeds/delegation-rows.js';
import type { Reason } from '../feeds/tally.js';
import { newAddress } from '../net/address.js';
import { lastAddressInto, PrefixBuffer } from '../net/prefix.js';
import { splitRange } from '../net/range.js';
import { readColumns, writeColumns, type ColumnSpec } from '../table/column-file.js';
import type { DelegatedRecords } from './delegated-records.js';
import { comparePrefixes, prefixOrder } from './prefix-order.js';
import { PrefixRows } from './prefix-rows.js';
import { DELEGATED_STATUSES, REGISTRIES, type Allocation, type Delegations } from './registries.js';

/** Distinct blocks in address order, covering ones first. */
const BLOCK_COLUMNS = {
  addresses: 'u32',
  lengths: 'u8',
  registries: 'u8',
  statuses: 'u8',
  /** Positions in `countryCodes` and `holderIds`, whose first entries stand for none. */
  countries: 'u16',
  holders: 'u32',
  countryCodes: 'text',
  holderIds: 'text',
} as const satisfies ColumnSpec;
const BLOCK_FILE = 'blocks.columns';

/** Told of a record that another one about the same block or number has outdone. */
export interface OutdoneVisitor {
  outdone(record: number, by: number): void;
}

/** Collects delegated blocks of addresses; counts that are no power of two are split into prefixes. */
export class DelegatedBlocks {
  readonly #records: DelegatedRecords;
  readonly #rows = new PrefixRows(['record']);
  readonly #prefix = new PrefixBuffer();
  readonly #start = newAddress();
  readonly #end = newAddress();

  constructor(records: DelegatedRecords) {
    this.#records = records;
  }

  /** The last ipv6 record had bits set behind its length; they are masked away. */
  get hadHostBits(): boolean {
    return this.#prefix.hadHostBits;
  }

  /** Reads the block of an ipv4 or ipv6 record; the reason where it is refused. */
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

  /** Adds the block that was read last, as the record of this position. */
  add(record: number): void {
    splitRange(this.#start, this.#end, (address, length) => {
      const row = this.#rows.add(address, length);
      this.#rows.column('record')[row] = record;
    });
  }

  /** Writes the blocks for `readDelegatedBlocks`. */
  write(dir: string, visitor: OutdoneVisitor): void {
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

  /** One row of each prefix, in order. */
  #distinct(visitor: OutdoneVisitor): number[] {
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

  #best(rows: readonly number[], visitor: OutdoneVisitor): number {
    const records = rows.map((row) => this.#rows.column('record')[row]!);
    const best = this.#records.best(records);
    for (const record of records) if (record !== best) visitor.outdone(record, best);
    return best;
  }
}

/** Reads what `DelegatedBlocks` wrote. Throws ColumnFileError. */
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
        ...(country === '' ? {} : { country }),
        ...(holder === '' ? {} : { holder }),
      };
    },
  };
}

/** 224.0.0.0: multicast and class E (RFC 5771, RFC 1112 §4) are nobody's. */
const MULTICAST = 0xe000_0000;

/** In 2000::/3, the only space that registries delegate of (RFC 4291 §2.4). */
function isGlobalUnicast(firstWord: number): boolean {
  return firstWord >>> 29 === 1;
}
