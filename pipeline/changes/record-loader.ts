import { DataCursor } from '../mmdb/data-cursor.js';
import { TYPE_NUMBERS as TYPE } from '../mmdb/encode.js';
import { isPart, type SchemaNode } from '../mmdb/schema-node.js';
import type { Schema } from '../mmdb/schema.js';
import { RECORD, type ValuePool } from '../mmdb/value-pool.js';
import { ChangesError } from './changes-error.js';
import { PendingWords, pushScalar } from './pending-words.js';

/**
 * Interns the records of a data section from their bytes, without JavaScript values between: each shared value is read
 * once. The pool then holds what it would hold after the records were written.
 */
export class RecordLoader {
  readonly #cursor: DataCursor;
  readonly #pool: ValuePool;
  readonly #root: SchemaNode;
  readonly #pending = new PendingWords();
  /** The numbers of texts by the offset of their string, and those of parts by offset and schema. */
  readonly #texts = new Map<number, number>();
  readonly #parts: (Map<number, number> | undefined)[] = [];
  /** The positions of fields by the offset of their key and schema. */
  readonly #fields: (Map<number, number> | undefined)[] = [];
  #next = 0;

  constructor(data: Buffer, pool: ValuePool, schema: Schema) {
    this.#cursor = new DataCursor(data, 0);
    this.#pool = pool;
    this.#root = pool.nodes.nodeOf(schema);
    if (!isPart(this.#root)) throw new ChangesError('content', 'records are not maps or arrays');
  }

  /** Returns the part number of the record at `offset`. Throws ChangesError where it does not have the schema. */
  load(offset: number): number {
    this.#pending.clear();
    this.#pushPart(offset, this.#root, RECORD);
    return this.#pending.finish(this.#pool.parts, 0);
  }

  /** Pushes the words of the map or array at `at`. */
  #pushPart(at: number, node: SchemaNode, flag = 0): void {
    const cursor = this.#cursor;
    this.#expect(at, node);
    const count = cursor.size;
    let next = cursor.payload;
    const pending = this.#pending;
    pending.push(node.id | flag);
    pending.push(count);
    let last = -1;
    for (let i = 0; i < count; i++) {
      let field = 0;
      if (node.kind === 'map') {
        field = this.#fieldAt(next, node);
        if (field <= last) throw this.#unfit(at, 'has other fields than its schema');
        last = field;
        pending.push(field);
        next = this.#next;
      } else if (node.kind === 'mapOf') {
        pending.push(this.#textAt(next));
        next = this.#next;
      }
      this.#pushAtoms(next, node.values[field]!);
      next = this.#next;
    }
    this.#next = next;
  }

  /** Pushes the atoms of the value at `at`, and sets `#next` to the offset after it. */
  #pushAtoms(at: number, node: SchemaNode): void {
    if (node.kind === 'string') this.#pending.push(this.#textAt(at));
    else if (isPart(node)) this.#pending.push(this.#partAt(at, node));
    else this.#pushScalar(at, node);
  }

  #pushScalar(at: number, node: SchemaNode): void {
    this.#expect(at, node);
    this.#next = this.#cursor.end;
    pushScalar(this.#pending, this.#cursor.section, at, this.#next);
  }

  #partAt(at: number, node: SchemaNode): number {
    const known = (this.#parts[node.id] ??= new Map<number, number>());
    const target = this.#targetOf(at);
    const behind = this.#next;
    // A part in place is read also if a pointer led to it before: its end is where the next value begins.
    let part = target === at ? undefined : known.get(target);
    if (part !== undefined) return part;
    const from = this.#pending.length;
    this.#pushPart(target, node);
    part = this.#pending.finish(this.#pool.parts, from);
    known.set(target, part);
    if (target !== at) this.#next = behind;
    return part;
  }

  #textAt(at: number): number {
    const target = this.#targetOf(at);
    let text = this.#texts.get(target);
    if (text !== undefined) return text;
    text = this.#pool.textOf(this.#readString(at, target));
    this.#texts.set(target, text);
    return text;
  }

  #fieldAt(at: number, node: SchemaNode): number {
    const known = (this.#fields[node.id] ??= new Map<number, number>());
    const target = this.#targetOf(at);
    let field = known.get(target);
    if (field !== undefined) return field;
    field = node.names.indexOf(this.#readString(at, target));
    known.set(target, field);
    return field;
  }

  /** Opens the value at `at`, and sets `#next` to the offset after it. Returns the target of a pointer, else `at`. */
  #targetOf(at: number): number {
    const cursor = this.#cursor;
    const isPointer = cursor.open(at) === TYPE.pointer;
    this.#next = cursor.end;
    return isPointer ? cursor.target : at;
  }

  /** Reads the string at `target`, to which the value at `at` leads. `at` is open. */
  #readString(at: number, target: number): string {
    const cursor = this.#cursor;
    if (target !== at) cursor.follow(at);
    if (cursor.type !== TYPE.string) throw this.#unfit(target, 'is not a string');
    return cursor.section.toString('utf8', cursor.payload, cursor.end);
  }

  /** Opens the value at `at` and checks its type. */
  #expect(at: number, { kind }: SchemaNode): void {
    const type = kind === 'mapOf' ? TYPE.map : TYPE[kind];
    if (this.#cursor.open(at) !== type) throw this.#unfit(at, `is not of type ${kind}`);
  }

  #unfit(at: number, found: string): ChangesError {
    return new ChangesError('content', `the value at byte ${at} of the data section ${found}`);
  }
}
