import type { DelegationRecord } from '../input/rows/delegation-rows.js';
import { namesNoCountry, parseCountry } from '../input/names/iso3166.js';
import type { Reason } from '../input/tally.js';
import { Uint32Column } from '../table/slots.js';
import { append } from './prefix-rows.js';
import { DELEGATED_STATUSES, REGISTRIES, type DelegatedStatus, type Registry } from './registries.js';

/** In place of a country, holder or date: none. */
export const NONE = 0;

/** Whether two records about one block agree. */
export type Likeness = 'duplicate' | 'conflict';

/**
 * The fields of delegated records except addresses and AS numbers, in columns. Texts are interned; entry 0 means none.
 */
export class DelegatedRecords {
  /** Positions in REGISTRIES and DELEGATED_STATUSES. */
  readonly registries = new Uint32Column();
  readonly statuses = new Uint32Column();
  /** Positions in `countryCodes` and `holderIds`, or NONE. */
  readonly countries = new Uint32Column();
  readonly holders = new Uint32Column();
  /** `yyyymmdd` as a number, or NONE. */
  readonly dates = new Uint32Column();
  /** The index of the file of each record. */
  readonly files = new Uint32Column();
  readonly countryCodes = new InternedTexts();
  readonly holderIds = new InternedTexts();

  get count(): number {
    return this.files.length;
  }

  /** Adds an allocated or assigned record. Returns its position, or the reason if it is rejected. */
  add(record: DelegationRecord, file: number): number | Reason {
    const country = parseCountry(record.country);
    if (country === undefined && !namesNoCountry(record.country)) return 'country';
    const date = parseDate(record.date);
    if (date === undefined) return 'date';
    append(this.registries, REGISTRIES.indexOf(registryOf(record.registry)));
    append(this.statuses, DELEGATED_STATUSES.indexOf(record.status as DelegatedStatus));
    append(this.countries, this.countryCodes.idOf(country));
    append(this.holders, this.holderIds.idOf(record.holder));
    append(this.dates, date);
    append(this.files, file);
    return this.count - 1;
  }

  /**
   * Returns the record that counts among several about the same block or number. Within one registry: the record of the
   * earlier file, then of the later date. Between registries: the record of the later date (a transfer).
   */
  best(records: readonly number[]): number {
    const byRegistry = new Map<number, number>();
    for (const record of records) {
      const registry = this.registries.values[record]!;
      const held = byRegistry.get(registry);
      if (held === undefined || this.#replaces(record, held)) byRegistry.set(registry, record);
    }
    return [...byRegistry.values()].reduce((held, record) => (this.#isLater(record, held) ? record : held));
  }

  /** Compares two records about one block. */
  likeness(a: number, b: number): Likeness {
    const columns = [this.registries, this.statuses, this.countries];
    return columns.every(({ values }) => values[a] === values[b]) ? 'duplicate' : 'conflict';
  }

  #replaces(record: number, held: number): boolean {
    const file = this.files.values[record]! - this.files.values[held]!;
    return file === 0 ? this.#isLater(record, held) : file < 0;
  }

  #isLater(record: number, held: number): boolean {
    return this.dates.values[record]! > this.dates.values[held]!;
  }
}

/** Distinct texts by number; 0 means none. */
export class InternedTexts {
  readonly texts: string[] = [''];
  readonly #ids = new Map<string, number>();

  idOf(text: string | undefined): number {
    if (text === undefined) return NONE;
    const held = this.#ids.get(text);
    if (held !== undefined) return held;
    const id = this.texts.push(text) - 1;
    this.#ids.set(text, id);
    return id;
  }
}

/** Returns the registry of a name in the published files, which call RIPE `ripencc`. */
function registryOf(name: string): Registry {
  return name === 'ripencc' ? 'ripe' : (name as Registry);
}

/** Returns `yyyymmdd` as a number; NONE for an empty date, undefined for an invalid one. */
function parseDate(text: string): number | undefined {
  if (text === '' || text === '00000000') return NONE;
  const match = /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  if (!match) return undefined;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? Number(text) : undefined;
}
