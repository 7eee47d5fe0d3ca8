import { join } from 'node:path';
import type { DelegationRecord } from '../input/rows/delegation-rows.js';
import type { Reason } from '../input/tally.js';
import { readColumns, writeColumns, type ColumnSpec } from '../table/column-file.js';
import { Uint32Column } from '../table/slots.js';
import type { ReplacedVisitor } from './delegated-blocks.js';
import { NONE, type DelegatedRecords } from './delegated-records.js';
import { append } from './prefix-rows.js';
import { DELEGATED_STATUSES, REGISTRIES, type AsnDelegation, type Delegations } from './registries.js';
import { positionOf } from './sorted-numbers.js';

/** Distinct AS numbers, ascending. */
const ASN_COLUMNS = {
  asns: 'u32',
  registries: 'u8',
  statuses: 'u8',
  /** Positions in `countryCodes` and `holderIds`; position 0 means none. */
  countries: 'u16',
  holders: 'u32',
  /** `yyyymmdd` as a number; 0 means none. */
  dates: 'u32',
  countryCodes: 'text',
  holderIds: 'text',
} as const satisfies ColumnSpec;
const ASN_FILE = 'asns.columns';

/** Collects delegated AS numbers, one row per number. */
export class DelegatedAsns {
  readonly #records: DelegatedRecords;
  readonly #asns = new Uint32Column();
  readonly #owners = new Uint32Column();
  #first = 0;
  #count = 0;

  constructor(records: DelegatedRecords) {
    this.#records = records;
  }

  /** Reads the numbers of an asn record. Returns the reason if it is rejected. */
  read(record: DelegationRecord): Reason | undefined {
    const run = record.readAsns();
    if (typeof run === 'string') return run;
    this.#first = run.first;
    this.#count = run.count;
    return undefined;
  }

  /** Adds the last read numbers for the record at this position. */
  add(record: number): void {
    for (let asn = this.#first; asn < this.#first + this.#count; asn++) {
      append(this.#asns, asn);
      append(this.#owners, record);
    }
  }

  /** Writes the numbers for `readDelegatedAsns`. */
  write(dir: string, visitor: ReplacedVisitor): void {
    const kept = this.#distinct(visitor);
    const { registries, statuses, countries, holders, dates, countryCodes, holderIds } = this.#records;
    const owners = Uint32Array.from(kept, (row) => this.#owners.values[row]!);
    writeColumns(join(dir, ASN_FILE), ASN_COLUMNS, {
      asns: Uint32Array.from(kept, (row) => this.#asns.values[row]!),
      registries: Uint8Array.from(owners, (record) => registries.values[record]!),
      statuses: Uint8Array.from(owners, (record) => statuses.values[record]!),
      countries: Uint16Array.from(owners, (record) => countries.values[record]!),
      holders: owners.map((record) => holders.values[record]!),
      dates: owners.map((record) => dates.values[record]!),
      countryCodes: countryCodes.texts,
      holderIds: holderIds.texts,
    });
  }

  /** Returns one row per number, ascending. */
  #distinct(visitor: ReplacedVisitor): number[] {
    const asns = this.#asns.values;
    const order = Uint32Array.from({ length: this.#asns.length }, (_, row) => row);
    order.sort((a, b) => asns[a]! - asns[b]! || a - b);
    const kept: number[] = [];
    for (let from = 0, to; from < order.length; from = to) {
      for (to = from + 1; to < order.length && asns[order[to]!] === asns[order[from]!];) to++;
      const same = [...order.subarray(from, to)];
      kept.push(same.length === 1 ? same[0]! : this.#best(same, visitor));
    }
    return kept;
  }

  #best(rows: readonly number[], visitor: ReplacedVisitor): number {
    const owners = rows.map((row) => this.#owners.values[row]!);
    const best = this.#records.best(owners);
    for (const owner of owners) if (owner !== best) visitor.replaced(owner, best);
    return rows[owners.indexOf(best)]!;
  }
}

/** Reads the columns that `DelegatedAsns` writes. Throws ColumnFileError. */
export function readDelegatedAsns(dir: string): Pick<Delegations, 'asn' | 'asns'> {
  const columns = readColumns(join(dir, ASN_FILE), ASN_COLUMNS);
  const { asns, registries, statuses, countries, holders, dates, countryCodes, holderIds } = columns;
  const at = (index: number): AsnDelegation => {
    const country = countryCodes[countries[index]!]!;
    const holder = holderIds[holders[index]!]!;
    const date = dates[index]!;
    return {
      asn: asns[index]!,
      registry: REGISTRIES[registries[index]!]!,
      status: DELEGATED_STATUSES[statuses[index]!]!,
      ...(country !== '' && { country }),
      ...(date !== NONE && { date: isoDate(date) }),
      ...(holder !== '' && { holder }),
    };
  };
  return {
    asns,
    asn: (asn) => {
      const index = positionOf(asns, asn);
      return index === undefined ? undefined : at(index);
    },
  };
}

function isoDate(date: number): string {
  return String(date)
    .padStart(8, '0')
    .replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
}
