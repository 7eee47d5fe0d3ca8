import { ByteColumn } from '../mmdb/byte-column.js';
import { isNode, NONE, recordIdOf } from '../table/slots.js';
import { putByte, putVarint } from './byte-streams.js';
import { spineLength, type FileTree } from './file-tree.js';
import { CODE, NO_RECORD, WalkMemory } from './tree-codes.js';

/** The streams of a tree delta. */
export interface TreeStreams {
  /** For each change: unchanged slots of the old tree before it, and levels above the next leaf of the old tree. */
  readonly places: ByteColumn;
  /** The codes of the changed subtrees in preorder. */
  readonly codes: ByteColumn;
  /** The numbers of known records. */
  readonly known: ByteColumn;
}

/** The trees to compare, and the records of the new one in terms of the old one. */
export interface TreePair {
  readonly old: FileTree;
  readonly new: FileTree;
  /** The number in the old file of each record of the new file, or NO_RECORD. */
  readonly oldNumbers: Uint32Array;
  /** Called for each new record with its id in the new file and the old record to compare it with, or NO_RECORD. */
  readonly onNew: (id: number, base: number) => void;
}

/** The number of changed places. */
export interface TreeDiff extends TreeStreams {
  readonly changes: number;
}

/** Compares two trees in one walk. Every record that is not in the old file is passed to `onNew` once. */
export function diffTrees(pair: TreePair): TreeDiff {
  return new Walk(pair).run();
}

class Walk {
  readonly #old: Uint32Array;
  readonly #new: Uint32Array;
  readonly #pair: TreePair;
  /** The numbers of the new file's records: as `oldNumbers`, with numbers for new records that were seen. */
  readonly #numbers: Uint32Array;
  readonly #memory: WalkMemory;
  readonly #out: TreeStreams = {
    places: new ByteColumn(),
    codes: new ByteColumn(),
    known: new ByteColumn(),
  };
  #skipped = 0;
  #changes = 0;
  #next: number;

  constructor(pair: TreePair) {
    this.#pair = pair;
    this.#old = pair.old.slots;
    this.#new = pair.new.slots;
    this.#numbers = pair.oldNumbers.slice();
    this.#next = pair.old.offsets.length;
    this.#memory = new WalkMemory(this.#next);
  }

  run(): TreeDiff {
    this.#compareNodes(0, 0);
    return { ...this.#out, changes: this.#changes };
  }

  #compareNodes(old: number, now: number): void {
    for (let side = 0; side < 2; side++)
      this.#compare(this.#old[2 * old + side]!, this.#new[2 * now + side]!);
  }

  #compare(old: number, now: number): void {
    if (isNode(old) && isNode(now)) this.#compareNodes(old, now);
    else if (this.#isSame(old, now)) this.#skip(old);
    else this.#change(old, now);
  }

  #isSame(old: number, now: number): boolean {
    if (old === NONE || now === NONE) return old === now;
    return !isNode(old) && !isNode(now) && recordIdOf(old) === this.#numberOf(now);
  }

  #skip(old: number): void {
    this.#skipped++;
    if (old !== NONE) this.#memory.previous = recordIdOf(old);
  }

  #change(old: number, now: number): void {
    const { places } = this.#out;
    putVarint(places, this.#skipped);
    putVarint(places, spineLength(this.#old, old));
    this.#skipped = 0;
    this.#changes++;
    this.#write(now, recordAt(firstLeaf(this.#old, old)));
  }

  /** Writes the subtree of the new file. `old` is the record that the old file has here. */
  #write(now: number, old: number): void {
    if (isNode(now)) {
      putByte(this.#out.codes, CODE.NODE);
      this.#write(this.#new[2 * now]!, old);
      this.#write(this.#new[2 * now + 1]!, old);
    } else {
      putByte(this.#out.codes, this.#codeOf(now, old));
    }
  }

  #codeOf(now: number, old: number): number {
    if (now === NONE) return CODE.GAP;
    const memory = this.#memory;
    const number = this.#numberOf(now);
    if (number === NO_RECORD) return this.#codeNew(recordIdOf(now), old);
    if (number === old) {
      memory.previous = old;
      return CODE.KEPT;
    }
    const code = number === memory.replacementOf(old) ? CODE.AGAIN : CODE.KNOWN;
    if (code === CODE.KNOWN) putVarint(this.#out.known, zigzag(number - baseOf(memory)));
    memory.replace(old, number);
    return code;
  }

  #codeNew(id: number, old: number): number {
    const memory = this.#memory;
    this.#pair.onNew(id, old === NO_RECORD ? memory.previous : old);
    this.#numbers[id] = this.#next++;
    memory.replace(old, this.#numbers[id]);
    return CODE.NEW;
  }

  /** Returns the number of a leaf's record; NO_RECORD until a new record is written. */
  #numberOf(leaf: number): number {
    return this.#numbers[recordIdOf(leaf)]!;
  }
}

/** Returns the record of a leaf, or NO_RECORD for a gap. */
export function recordAt(slot: number): number {
  return slot === NONE ? NO_RECORD : recordIdOf(slot);
}

/** Returns the first leaf or gap below a slot. */
export function firstLeaf(slots: Uint32Array, slot: number): number {
  let at = slot;
  while (isNode(at)) at = slots[2 * at]!;
  return at;
}

/** Returns the number that the number of a known record is written relative to. */
export function baseOf({ previous }: WalkMemory): number {
  return previous === NO_RECORD ? 0 : previous;
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}
