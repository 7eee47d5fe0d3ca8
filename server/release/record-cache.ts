import { GenerationCache } from './generation-cache.js';

/** A decoded value and the offset after it, in the form of mmdb-lib's decoder. */
export interface Decoded {
  readonly value: unknown;
  readonly offset: number;
}

/**
 * Caches decoded records, and parts that several records point to, by offset in the file. All values are deeply frozen,
 * because requests share them.
 */
export class RecordCache {
  readonly #values: GenerationCache<Decoded>;

  /** `limit` is the number of entries per generation. */
  constructor(limit = GENERATION_ENTRIES) {
    this.#values = new GenerationCache(limit);
  }

  /** Returns the value at an offset. */
  get(offset: number): Decoded | undefined {
    return this.#values.get(offset);
  }

  /** Freezes and stores the value at an offset. */
  set(offset: number, decoded: Decoded): void {
    freezeDeep(decoded.value);
    this.#values.set(offset, decoded);
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
