import { ByteColumn } from '../mmdb/byte-column.js';
import { isPart, type SchemaNode } from '../mmdb/schema-node.js';
import { RECORD, type ValuePool } from '../mmdb/value-pool.js';
import { encodeScalarAtoms } from '../mmdb/scalar-atoms.js';
import { putByte, putBytes, putVarint } from './byte-streams.js';
import { KnownRuns } from './known-values.js';
import { ABSENT, sameAtoms, VALUE, valuesOf } from './record-codes.js';

/** The streams of the new records. */
export interface RecordStreams {
  /** VALUE codes. */
  readonly codes: ByteColumn;
  /** For each part the changed fields as bits, or the number of entries. */
  readonly shapes: ByteColumn;
  /** Numbers of known texts and parts. */
  readonly refs: ByteColumn;
  /** New texts: length and UTF-8. */
  readonly texts: ByteColumn;
  /** New scalars as in the data section, each after its length. */
  readonly scalars: ByteColumn;
}

/** Writes new records as differences from known ones. The pool holds both, the known ones first. */
export class RecordWriter {
  readonly streams: RecordStreams = {
    codes: new ByteColumn(),
    shapes: new ByteColumn(),
    refs: new ByteColumn(),
    texts: new ByteColumn(),
    scalars: new ByteColumn(),
  };
  readonly #pool: ValuePool;
  readonly #parts: KnownRuns;
  readonly #texts: KnownRuns;

  /** Takes the pool before the new records are added to it. */
  constructor(pool: ValuePool) {
    this.#pool = pool;
    this.#parts = new KnownRuns(pool.parts);
    this.#texts = new KnownRuns(pool.texts);
  }

  /** Writes a record, compared with another one where `base` is its part number. */
  write(record: number, base: number | undefined): void {
    this.#writePart(record, base ?? ABSENT);
  }

  #writePart(part: number, base: number): void {
    const { parts, nodes } = this.#pool;
    const { words } = parts;
    const node = nodes.withId(words[part]! & ~RECORD);
    const mine = valuesOf(words, part, node);
    const others = base === ABSENT ? new Int32Array(0) : valuesOf(words, base, node);
    if (node.kind === 'map') this.#writeFields(node, mine, others);
    else this.#writeEntries(node, mine, others);
  }

  #writeFields(node: SchemaNode, mine: Int32Array, others: Int32Array): void {
    const { words } = this.#pool.parts;
    const changed: number[] = [];
    mine.forEach((at, field) => {
      if (!sameAtoms(words, at, others[field] ?? ABSENT, node.values[field]!)) changed.push(field);
    });
    putVarint(
      this.streams.shapes,
      changed.reduce((bits, field) => bits + 2 ** field, 0),
    );
    for (const field of changed) {
      if (mine[field] === ABSENT) putByte(this.streams.codes, VALUE.REMOVED);
      else this.#writeValue(mine[field]!, others[field] ?? ABSENT, node.values[field]!);
    }
  }

  #writeEntries(node: SchemaNode, mine: Int32Array, others: Int32Array): void {
    const { words } = this.#pool.parts;
    putVarint(this.streams.shapes, mine.length);
    mine.forEach((at, i) => {
      let other = others[i] ?? ABSENT;
      if (node.kind === 'mapOf') {
        this.#writeText(words[at - 1]!);
        if (other !== ABSENT && words[other - 1] !== words[at - 1]) other = ABSENT;
      }
      if (sameAtoms(words, at, other, node.values[0]!)) putByte(this.streams.codes, VALUE.SAME);
      else this.#writeValue(at, other, node.values[0]!);
    });
  }

  #writeValue(at: number, other: number, node: SchemaNode): void {
    const { words } = this.#pool.parts;
    if (node.kind === 'string') this.#writeText(words[at]!);
    else if (isPart(node)) this.#writeKnownPart(words[at]!, other === ABSENT ? ABSENT : words[other]!, node);
    else this.#writeScalar(at);
  }

  #writeKnownPart(part: number, base: number, node: SchemaNode): void {
    const isDiff = base !== ABSENT && this.#differsLittle(part, base, node);
    if (!isDiff && this.#writeReference(this.#parts, part)) return;
    putByte(this.streams.codes, base === ABSENT ? VALUE.NEW : VALUE.CHANGED);
    this.#writePart(part, base);
    this.#parts.define(part);
  }

  /** Returns whether two maps differ in one short scalar: its value is shorter than the number of a part. */
  #differsLittle(part: number, base: number, node: SchemaNode): boolean {
    if (node.kind !== 'map') return false;
    const { words } = this.#pool.parts;
    const [mine, others] = [valuesOf(words, part, node), valuesOf(words, base, node)];
    const changed = node.values.flatMap((value, i) =>
      sameAtoms(words, mine[i]!, others[i]!, value) ? [] : [i],
    );
    const [field, more] = changed;
    if (field === undefined || more !== undefined || mine[field] === ABSENT) return false;
    const value = node.values[field]!;
    return value.kind !== 'string' && !isPart(value) && words[mine[field]!]! <= 3;
  }

  #writeText(text: number): void {
    if (this.#writeReference(this.#texts, text)) return;
    const { texts } = this.#pool;
    const sizeBytes = texts.words[text]!;
    putByte(this.streams.codes, VALUE.NEW);
    putVarint(this.streams.texts, sizeBytes);
    putBytes(this.streams.texts, texts.bytes.subarray(4 * text + 4, 4 * text + 4 + sizeBytes));
    this.#texts.define(text);
  }

  #writeScalar(at: number): void {
    const { words } = this.#pool.parts;
    putByte(this.streams.codes, VALUE.SCALAR);
    putByte(this.streams.scalars, words[at]!);
    encodeScalarAtoms(words, at, this.streams.scalars);
  }

  /** Writes a reference to a known run. Returns false when the run is not known. */
  #writeReference(known: KnownRuns, run: number): boolean {
    const number = known.numberOf(run);
    const position = number < 0 ? known.positionOf(run) : undefined;
    if (number < 0 && position === undefined) return false;
    putByte(this.streams.codes, position === undefined ? VALUE.OLD : VALUE.DEFINED);
    putVarint(this.streams.refs, position === undefined ? number : known.definedCount - 1 - position);
    return true;
  }
}
