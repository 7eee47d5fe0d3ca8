import type { FieldDecoder } from '../mmdb/field-decoder.js';
import { NO_RECORD } from '../mmdb/record-finder.js';

/** The texts that a lookup makes of one record. Undefined: the field is unknown and another dataset may know it. */
export type Texts = readonly (string | undefined)[];

/** Records whose texts are kept in a generation. Sorted input and popular networks find them again. */
const GENERATION = 1 << 14;

/**
 * Makes texts of a dataset's records, once per record. It keeps two generations: when the younger one is full, it
 * replaces the older one. Memory is therefore limited, whatever the input.
 */
export class RecordTexts {
  readonly #decoder: FieldDecoder;
  readonly #textsOf: (record: object | undefined) => Texts;
  readonly #none: Texts;
  #younger = new Map<number, Texts>();
  #older = new Map<number, Texts>();

  constructor(decoder: FieldDecoder, textsOf: (record: object | undefined) => Texts) {
    this.#decoder = decoder;
    this.#textsOf = textsOf;
    this.#none = textsOf(undefined);
  }

  /** Returns the texts of the record at an offset of the finder, or of an address without a record. */
  get(offset: number): Texts {
    if (offset === NO_RECORD) return this.#none;
    return this.#younger.get(offset) ?? this.#renew(offset);
  }

  #renew(offset: number): Texts {
    const texts = this.#older.get(offset) ?? this.#textsOf(this.#decoder.decode(offset));
    if (this.#younger.size >= GENERATION) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(offset, texts);
    return texts;
  }
}
