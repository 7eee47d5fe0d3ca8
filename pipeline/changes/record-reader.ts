import { isPart, type SchemaNode } from '../mmdb/schema-node.js';
import type { Schema } from '../mmdb/schema.js';
import { RECORD, type ValuePool } from '../mmdb/value-pool.js';
import type { ByteStream } from './byte-streams.js';
import { KnownRuns } from './known-values.js';
import { PendingWords, pushScalar } from './pending-words.js';
import { ABSENT, atomCount, VALUE, valuesOf } from './record-codes.js';
import type { RecordStreams } from './record-writer.js';

/** Reads the new records that RecordWriter wrote, in the same order. The pool holds the records of the old file. */
export class RecordReader {
  readonly #pool: ValuePool;
  readonly #streams: Readonly<Record<keyof RecordStreams, ByteStream>>;
  readonly #parts: KnownRuns;
  readonly #texts: KnownRuns;
  readonly #root: SchemaNode;
  readonly #pending = new PendingWords();

  constructor(pool: ValuePool, schema: Schema, streams: Readonly<Record<keyof RecordStreams, ByteStream>>) {
    this.#pool = pool;
    this.#streams = streams;
    this.#parts = new KnownRuns(pool.parts);
    this.#texts = new KnownRuns(pool.texts);
    this.#root = pool.nodes.nodeOf(schema);
  }

  /** Reads the next record; `base` is the part number of the one to compare with. Returns its part number. */
  read(base: number | undefined): number {
    this.#pending.clear();
    return this.#readPart(this.#root, base ?? ABSENT, RECORD);
  }

  /** Throws ChangesError when a stream has more than the records that were read. */
  expectEnd(): void {
    for (const stream of Object.values(this.#streams)) if (!stream.isAtEnd) throw stream.error('is too long');
  }

  #readPart(node: SchemaNode, base: number, flag = 0): number {
    const pending = this.#pending;
    const from = pending.length;
    pending.push(node.id | flag);
    pending.push(0);
    const others = base === ABSENT ? new Int32Array(0) : valuesOf(this.#pool.parts.words, base, node);
    const count = node.kind === 'map' ? this.#readFields(node, others) : this.#readEntries(node, others);
    pending.set(from + 1, count);
    return pending.finish(this.#pool.parts, from);
  }

  #readFields(node: SchemaNode, others: Int32Array): number {
    const { shapes, codes } = this.#streams;
    const changed = shapes.varint();
    if (changed >= 2 ** node.names.length) throw shapes.error('names a field that the schema does not have');
    let count = 0;
    for (let field = 0; field < node.names.length; field++) {
      const other = others[field] ?? ABSENT;
      const isChanged = Math.floor(changed / 2 ** field) % 2 === 1;
      const code = isChanged ? codes.byte() : other === ABSENT ? VALUE.REMOVED : VALUE.SAME;
      if (code === VALUE.REMOVED) continue;
      count++;
      this.#pending.push(field);
      this.#readValue(code, other, node.values[field]!);
    }
    return count;
  }

  #readEntries(node: SchemaNode, others: Int32Array): number {
    const { shapes, codes } = this.#streams;
    const count = shapes.varint();
    for (let i = 0; i < count; i++) {
      let other = others[i] ?? ABSENT;
      if (node.kind === 'mapOf') {
        const key = this.#readText(codes.byte());
        this.#pending.push(key);
        if (other !== ABSENT && this.#pool.parts.words[other - 1] !== key) other = ABSENT;
      }
      this.#readValue(codes.byte(), other, node.values[0]!);
    }
    return count;
  }

  #readValue(code: number, other: number, node: SchemaNode): void {
    if (code === VALUE.SAME) this.#copy(other, node);
    else if (node.kind === 'string') this.#pending.push(this.#readText(code));
    else if (isPart(node)) this.#pending.push(this.#readInnerPart(code, other, node));
    else if (code === VALUE.SCALAR) this.#readScalar();
    else throw this.#unexpected(code);
  }

  #copy(other: number, node: SchemaNode): void {
    if (other === ABSENT) throw this.#unexpected(VALUE.SAME);
    const { words } = this.#pool.parts;
    const count = atomCount(words, other, node);
    for (let i = 0; i < count; i++) this.#pending.push(words[other + i]!);
  }

  #readInnerPart(code: number, other: number, node: SchemaNode): number {
    if (code === VALUE.OLD || code === VALUE.DEFINED)
      return this.#expectKind(this.#readKnown(this.#parts, code), node);
    if (code !== VALUE.NEW && (code !== VALUE.CHANGED || other === ABSENT)) throw this.#unexpected(code);
    const base = code === VALUE.NEW ? ABSENT : this.#pool.parts.words[other]!;
    const part = this.#readPart(node, base);
    this.#parts.define(part);
    return part;
  }

  #expectKind(part: number, node: SchemaNode): number {
    if (this.#pool.parts.words[part] === node.id) return part;
    throw this.#streams.refs.error('refers to a part of another schema');
  }

  #readText(code: number): number {
    if (code === VALUE.OLD || code === VALUE.DEFINED) return this.#readKnown(this.#texts, code);
    if (code !== VALUE.NEW) throw this.#unexpected(code);
    const { texts } = this.#streams;
    const bytes = texts.take(texts.varint());
    const text = this.#pool.textOf(bytes.toString('utf8'));
    this.#texts.define(text);
    return text;
  }

  #readScalar(): void {
    const { scalars } = this.#streams;
    const bytes = scalars.take(scalars.byte());
    pushScalar(this.#pending, bytes, 0, bytes.length);
  }

  #readKnown(known: KnownRuns, code: number): number {
    const { refs } = this.#streams;
    const number = refs.varint();
    const run = code === VALUE.OLD ? known.runOf(number) : known.definedAt(known.definedCount - 1 - number);
    if (run === undefined) throw refs.error('refers to a value that does not exist');
    return run;
  }

  #unexpected(code: number): Error {
    return this.#streams.codes.error(`has the code ${code}, which has no meaning here`);
  }
}
