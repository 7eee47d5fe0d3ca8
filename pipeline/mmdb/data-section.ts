import { ByteColumn } from './byte-column.js';
import { encodeControl, encodePointer, pointerSize, TYPE_NUMBERS } from './encode.js';
import { encodePackedText } from './packed-text.js';
import { RecordBuilder } from './record-builder.js';
import { encodeScalarAtoms } from './scalar-atoms.js';
import { isPart, type SchemaNode } from './schema-node.js';
import type { Schema } from './schema.js';
import { RECORD, ValuePool } from './value-pool.js';
import { UNWRITTEN, type WordRuns } from './word-runs.js';

/**
 * The data section. Each distinct record is written once. Each distinct string, map and array inside records is written
 * once and referenced by pointer where the pointer is shorter. Values are equal when they have the same number in the
 * pool: uint16 1, uint32 1 and 1.0 are distinct. No pointer leads to a pointer. Top-level values are records only.
 */
export class DataSection {
  readonly #out = new ByteColumn();
  readonly #pool: ValuePool;
  /** Builds records for `addBuilt`. */
  readonly builder: RecordBuilder;
  #recordCount = 0;
  #lastRecord = 0;

  /** `pool` may hold values already; only those that records refer to are written. */
  constructor(pool = new ValuePool()) {
    this.#pool = pool;
    this.builder = new RecordBuilder(pool);
  }

  get sizeBytes(): number {
    return this.#out.length;
  }

  /** The number of distinct records. */
  get recordCount(): number {
    return this.#recordCount;
  }

  /** The offset of the last record; 0 without records. */
  get lastRecord(): number {
    return this.#lastRecord;
  }

  view(): Buffer {
    return this.#out.view();
  }

  /**
   * Writes a record unless an equal one has been written. Returns its offset. Throws MmdbEncodeError when the value
   * does not fit the schema.
   */
  addRecord(value: unknown, schema: Schema): number {
    return this.addBuilt(this.#pool.intern(value, schema));
  }

  /** Writes a record of `builder`, or of the pool, by its part number unless an equal one has been written. Returns its offset. */
  addBuilt(record: number): number {
    const held = this.#pool.parts.offsetOf(record);
    if (held !== UNWRITTEN) return held;
    const offset = this.#out.length;
    this.#writeInline(record);
    this.#pool.parts.settle(record, offset, this.#out.length);
    this.#recordCount++;
    this.#lastRecord = offset;
    return offset;
  }

  /** Writes a part at the current position. */
  #writeInline(part: number): void {
    const { parts, nodes } = this.#pool;
    const { words } = parts;
    const node = nodes.withId(words[part]! & ~RECORD);
    if (!isPart(node)) {
      this.#writeAtoms(words, part + 1, node);
      return;
    }
    const entries = words[part + 1]!;
    let at = part + 2;
    encodeControl(node.kind === 'array' ? TYPE_NUMBERS.array : TYPE_NUMBERS.map, entries, this.#out);
    for (let i = 0; i < entries; i++) {
      let field = 0;
      if (node.kind === 'map') {
        field = words[at++]!;
        this.#writeText(this.#pool.keyOf(node.names[field]!));
      } else if (node.kind === 'mapOf') {
        this.#writeText(words[at++]!);
      }
      at = this.#writeAtoms(words, at, node.values[field]!);
    }
  }

  /** Writes the value with the atoms at `words[at]`. Returns the position of the next atoms. */
  #writeAtoms(words: Uint32Array, at: number, node: SchemaNode): number {
    if (node.kind === 'string') this.#writeText(words[at]!);
    else if (isPart(node)) this.#writePart(words[at]!);
    else return encodeScalarAtoms(words, at, this.#out);
    return at + 1;
  }

  #writePart(part: number): void {
    const { parts } = this.#pool;
    if (this.#pointTo(parts, part)) return;
    const offset = this.#out.length;
    this.#writeInline(part);
    parts.settle(part, offset, this.#out.length);
  }

  #writeText(text: number): void {
    const { texts } = this.#pool;
    if (this.#pointTo(texts, text)) return;
    const offset = this.#out.length;
    encodePackedText(texts, text, this.#out);
    texts.settle(text, offset, this.#out.length);
  }

  /** Writes a pointer to a value written before, if the pointer is shorter than the value. Returns whether it did. */
  #pointTo(runs: WordRuns, run: number): boolean {
    const offset = runs.offsetOf(run);
    if (offset === UNWRITTEN || pointerSize(offset) >= runs.sizeOf(run)) return false;
    encodePointer(offset, this.#out);
    return true;
  }
}
