/** A decoded value and the offset after it, in the form of mmdb-lib's decoder. */
export interface Decoded {
  readonly value: unknown;
  readonly offset: number;
}

/**
 * Caches decoded records, and parts that several records point to, by offset in the file. All values are deeply frozen,
 * because requests share them.
 *
 * Keeps two generations. A full young generation replaces the old one; entries used again are copied to the young one.
 * This is about as effective as LRU and costs two lookups in a Map.
 */
export class RecordCache {
  readonly #limit: number;
  #young = new Map<number, Decoded>();
  #old = new Map<number, Decoded>();

  /** `limit` is the number of entries per generation. */
  constructor(limit = GENERATION_ENTRIES) {
    this.#limit = limit;
  }

  /** Returns the value at an offset. */
  get(offset: number): Decoded | undefined {
    const young = this.#young.get(offset);
    if (young !== undefined) return young;
    const old = this.#old.get(offset);
    if (old !== undefined) this.#keep(offset, old);
    return old;
  }

  /** Freezes and stores the value at an offset. */
  set(offset: number, decoded: Decoded): void {
    freezeDeep(decoded.value);
    this.#keep(offset, decoded);
  }

  #keep(offset: number, decoded: Decoded): void {
    if (this.#young.size >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(offset, decoded);
  }
}

/**
 * Records are decoded for the texts of answers, which are cached themselves, and for calls that need the record. With
 * 300,000 distinct records generations of 2^13 entries take 5 MB, of 2^15 entries 30 MB.
 */
const GENERATION_ENTRIES = 1 << 13;

/** Deeply freezes a value. A frozen value is assumed to be deeply frozen already. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value))
    return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}
