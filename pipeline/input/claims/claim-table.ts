import { ByteMemo, viewOf } from '../../table/byte-memo.js';
import type { ClaimFormat } from './claim-format.js';

/** Claims by id. Equal claims have the same id. Ids count from 0 in the order in which claims are first seen. */
export class ClaimTable<C extends object> {
  readonly claims: C[] = [];
  readonly #fields: readonly (keyof C & string)[];
  /** The keys of the claims; their numbers are the ids. */
  readonly #keys = new ByteMemo();
  readonly #texts = new Map<string, number>();
  /** The key of the current claim: present fields, each with its position, the kind of its value and its value. */
  readonly #key: DataView;

  constructor(format: ClaimFormat<C>) {
    this.#fields = format.fields;
    this.#key = viewOf(Buffer.alloc(format.fields.length * FIELD_BYTES));
  }

  /** Returns the id of the claim; adds the claim on first sight. */
  intern(claim: C): number {
    const fields = this.#fields;
    let length = 0;
    for (let position = 0; position < fields.length; position++) {
      const value: unknown = claim[fields[position]!];
      if (value !== undefined) length = this.#writeField(length, position, value);
    }
    const id = this.#keys.number(this.#key, 0, length);
    if (id === this.claims.length) this.claims.push(claim);
    return id;
  }

  /** Writes a field to the key at `at`. Returns the end. */
  #writeField(at: number, position: number, value: unknown): number {
    const key = this.#key;
    key.setUint8(at, position);
    key.setUint8(at + 1, KINDS.indexOf(typeof value));
    if (typeof value === 'number') {
      // + 0 turns -0 into 0.
      key.setFloat64(at + 2, value + 0);
      return at + FIELD_BYTES;
    }
    key.setUint32(at + 2, this.#numberOf(typeof value === 'string' ? value : JSON.stringify(value)));
    return at + 6;
  }

  #numberOf(text: string): number {
    const held = this.#texts.get(text);
    if (held !== undefined) return held;
    this.#texts.set(text, this.#texts.size);
    return this.#texts.size - 1;
  }
}

/** The kinds of values, as in a key. */
const KINDS: readonly string[] = ['number', 'string', 'boolean', 'object'];
/** The maximum length of a field in a key: its position, its kind and a float64. */
const FIELD_BYTES = 10;
