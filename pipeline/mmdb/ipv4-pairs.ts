import { ADDRESS_BITS, IPV4_DEPTH } from '../net/address.js';
import { Ipv4Space } from '../table/ipv4-space.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT } from '../table/zip.js';
import type { MmdbValue } from './decode.js';
import { readMetadata } from './metadata.js';
import { MmdbError } from './mmdb-error.js';
import { RecordFields } from './record-fields.js';
import { layOut, recordReader, type MmdbLayout, type RecordReader } from './tree-layout.js';

/** The texts of the compared fields of a record, in the order of the fields. */
export type FieldTexts = readonly string[];

/** A comparison of some fields of records. */
export interface FieldComparison {
  readonly fields: readonly ComparedField[];
  /**
   * Receives the number of IPv4 addresses with these texts in one file and in the other; undefined without a record.
   * Called once per distinct pair.
   */
  readonly visit: (
    before: FieldTexts | undefined,
    after: FieldTexts | undefined,
    ipv4Addresses: number,
  ) => void;
}

/** A field of records. Values with equal texts are equal. */
export interface ComparedField {
  readonly name: string;
  /** Called at most once per value that a file stores; absent fields have the text `''`. */
  readonly textOf: (value: MmdbValue) => string;
}

/**
 * Walks the IPv4 space of two verified files side by side and compares fields of their records. Only these fields are
 * decoded, and no table is built. Throws MmdbError for a file that cannot be walked.
 */
export function compareIpv4Fields(
  [before, after]: readonly [before: Buffer, after: Buffer],
  { fields, visit }: FieldComparison,
): void {
  const kinds = new Kinds(fields);
  const walk = new PairWalk(new Side(before, kinds), new Side(after, kinds));
  walk.run();
  walk.forEach((one, other, ipv4Addresses) => {
    visit(kinds.textsOf(one), kinds.textsOf(other), ipv4Addresses);
  });
}

/** Numbers the records of both files: records with equal texts in all fields are of one kind. */
class Kinds {
  readonly fields: readonly ComparedField[];
  readonly #texts: Map<string, number>[];
  readonly #kinds: TupleMemo;

  constructor(fields: readonly ComparedField[]) {
    this.fields = fields;
    this.#texts = fields.map(() => new Map([['', 0]]));
    this.#kinds = new TupleMemo(fields.length);
  }

  /** Returns the number of a field's value. */
  numberOf(field: number, value: MmdbValue): number {
    const texts = this.#texts[field]!;
    const text = this.fields[field]!.textOf(value);
    const held = texts.get(text);
    if (held !== undefined) return held;
    texts.set(text, texts.size);
    return texts.size - 1;
  }

  /** Returns the kind of a record by the numbers of its values. */
  kindOf(numbers: Int32Array): number {
    return this.#kinds.number(numbers);
  }

  /** Returns the texts of a kind; undefined for ABSENT. */
  textsOf(kind: number): FieldTexts | undefined {
    if (kind === ABSENT) return undefined;
    this.#names ??= this.#texts.map((texts) => [...texts.keys()]);
    return this.#names.map((names, field) => names[this.#kinds.at(kind, field)]!);
  }

  /** The texts by number; made after the walk. */
  #names: string[][] | undefined;
}

/** One of the two files. A `slot` is what a node refers to: another node, no record, or a record. */
class Side {
  readonly nodeCount: number;
  readonly record: RecordReader;
  readonly #layout: MmdbLayout;
  readonly #fields: RecordFields;
  readonly #kinds: Kinds;
  /** Kinds by slot. */
  readonly #bySlot = new TupleMemo(1);
  readonly #slot = new Int32Array(1);
  readonly #offsets: Int32Array;
  readonly #numbers: Int32Array;
  /** For each field the number of each value by its offset. */
  readonly #known: readonly Map<number, number>[];

  constructor(file: Buffer, kinds: Kinds) {
    this.#layout = layOut(file, readMetadata(file));
    const { tree, metadata } = this.#layout;
    this.nodeCount = metadata.nodeCount;
    this.record = recordReader(tree, metadata.recordSize);
    const names = kinds.fields.map(({ name }) => name);
    this.#fields = new RecordFields(this.#layout, names);
    this.#kinds = kinds;
    this.#offsets = new Int32Array(names.length);
    this.#numbers = new Int32Array(names.length);
    this.#known = names.map(() => new Map<number, number>());
  }

  /** Returns the slot of ::/96, or the slot of the network that contains it. */
  ipv4Start(): number {
    const above = this.#layout.metadata.ipVersion === 4 ? 0 : IPV4_DEPTH;
    let slot = 0;
    for (let depth = 0; depth < above && slot < this.nodeCount; depth++) slot = this.record(slot, 0);
    return slot;
  }

  /** Returns the kind of a slot that is not a node; ABSENT without a record. */
  kindAt(slot: number): number {
    if (slot === this.nodeCount) return ABSENT;
    this.#slot[0] = slot;
    return this.#bySlot.resolve(this.#slot, this.#readRecord);
  }

  readonly #readRecord = (): number => {
    this.#fields.locate((this.#slot[0]! >>> 0) - this.#layout.dataBias, this.#offsets);
    for (let field = 0; field < this.#offsets.length; field++) {
      this.#numbers[field] = this.#numberOf(field, this.#offsets[field]!);
    }
    return this.#kinds.kindOf(this.#numbers);
  };

  #numberOf(field: number, offset: number): number {
    if (offset === ABSENT) return 0;
    const known = this.#known[field]!;
    const held = known.get(offset);
    if (held !== undefined) return held;
    const number = this.#kinds.numberOf(field, this.#fields.valueAt(offset));
    known.set(offset, number);
    return number;
  }
}

/** Counts the addresses of each pair of kinds. */
class PairWalk {
  readonly #before: Side;
  readonly #after: Side;
  readonly #memo = new TupleMemo(2);
  readonly #space = new Ipv4Space();
  readonly #pair = new Int32Array(2);

  constructor(before: Side, after: Side) {
    this.#before = before;
    this.#after = after;
  }

  run(): void {
    this.#descend(this.#before.ipv4Start(), this.#after.ipv4Start(), IPV4_DEPTH);
  }

  /** Visits every pair of kinds; ABSENT where a file has no record. */
  forEach(visit: (one: number, other: number, ipv4Addresses: number) => void): void {
    for (let at = 0; at < this.#memo.size; at++) {
      visit(this.#memo.at(at, 0), this.#memo.at(at, 1), this.#space.at(at));
    }
  }

  /** Walks the network of `depth` bits in the 128-bit space. */
  #descend(one: number, other: number, depth: number): void {
    const before = this.#before;
    const after = this.#after;
    const divides = one < before.nodeCount;
    const dividesOther = other < after.nodeCount;
    if (!divides && !dividesOther) {
      this.#count(before.kindAt(one), after.kindAt(other), depth);
      return;
    }
    if (depth === ADDRESS_BITS) {
      throw new MmdbError(
        'tree-depth',
        { offset: 0, path: '' },
        'a node is below the last bit of an address',
      );
    }
    for (let side = 0; side < 2; side++) {
      const next = divides ? before.record(one, side) : one;
      this.#descend(next, dividesOther ? after.record(other, side) : other, depth + 1);
    }
  }

  #count(one: number, other: number, depth: number): void {
    if (one === ABSENT && other === ABSENT) return;
    this.#pair[0] = one;
    this.#pair[1] = other;
    this.#space.add(this.#memo.number(this.#pair), depth);
  }
}
