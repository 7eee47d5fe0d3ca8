import { Uint32Column, isNode, leafSlot, NONE, recordIdOf } from '../table/slots.js';
import type { ByteStream } from './byte-streams.js';
import { spineLength, type FileTree } from './file-tree.js';
import { CODE, NO_RECORD, WalkMemory } from './tree-codes.js';
import { baseOf, firstLeaf, recordAt } from './tree-diff.js';

/** A tree delta to apply; see `TreeStreams`. */
export interface TreePatch {
  readonly old: FileTree;
  readonly places: ByteStream;
  readonly codes: ByteStream;
  readonly known: ByteStream;
  /** The number of changed places. */
  readonly changes: number;
  /** Called for each new record in order, with the record to compare it with, or NO_RECORD. */
  readonly onNew: (base: number) => void;
}

/**
 * Returns the slots of the new tree: leaves have the number of an old record, or that of a new one after the old ones.
 * Throws ChangesError when the delta does not fit the tree.
 */
export function patchTree(patch: TreePatch): Uint32Array {
  return new Walk(patch).run();
}

class Walk {
  readonly #patch: TreePatch;
  readonly #old: Uint32Array;
  readonly #out: Uint32Column;
  readonly #memory: WalkMemory;
  #next: number;
  #changesLeft: number;
  /** Unchanged slots before the next change. */
  #skip = 0;
  /** Levels of the next change above its first leaf. */
  #spine = 0;

  constructor(patch: TreePatch) {
    this.#patch = patch;
    this.#old = patch.old.slots;
    this.#out = new Uint32Column(this.#old.length + 4096);
    this.#next = patch.old.offsets.length;
    this.#memory = new WalkMemory(this.#next);
    this.#changesLeft = patch.changes;
    this.#advance();
  }

  run(): Uint32Array {
    this.#copyNode(0, 0);
    if (this.#skip !== Infinity) throw this.#patch.places.error('has changes after the last network');
    for (const stream of [this.#patch.places, this.#patch.codes, this.#patch.known])
      if (!stream.isAtEnd) throw stream.error('is too long');
    return this.#out.values.slice(0, this.#out.length);
  }

  #advance(): void {
    const { places } = this.#patch;
    this.#skip = this.#changesLeft-- > 0 ? places.varint() : Infinity;
    if (this.#skip !== Infinity) this.#spine = places.varint();
  }

  #copyNode(node: number, depth: number): number {
    const made = this.#open();
    this.#out.values[2 * made] = NONE;
    for (let side = 0; side < 2; side++) {
      const slot = this.#copy(this.#old[2 * node + side]!, depth + 1);
      this.#out.values[2 * made + side] = slot;
    }
    return made;
  }

  #copy(old: number, depth: number): number {
    if (this.#skip === 0 && spineLength(this.#old, old) === this.#spine) return this.#change(old, depth);
    if (isNode(old)) return this.#copyNode(old, depth);
    // Without a change at this leaf the delta was made from another tree.
    if (this.#skip-- === 0) throw this.#patch.places.error('names a place that the file does not have');
    if (old !== NONE) this.#memory.previous = recordIdOf(old);
    return old;
  }

  #change(old: number, depth: number): number {
    const record = recordAt(firstLeaf(this.#old, old));
    const slot = this.#read(record, depth);
    this.#advance();
    return slot;
  }

  #read(old: number, depth: number): number {
    const { codes, known } = this.#patch;
    const code = codes.byte();
    const memory = this.#memory;
    switch (code) {
      case CODE.NODE: {
        if (depth >= 128) throw codes.error('has a node below the last bit of an address');
        const made = this.#open();
        const left = this.#read(old, depth + 1);
        const right = this.#read(old, depth + 1);
        this.#out.values[2 * made] = left;
        this.#out.values[2 * made + 1] = right;
        return made;
      }
      case CODE.GAP:
        return NONE;
      case CODE.KEPT:
        memory.previous = old;
        return this.#leaf(old);
      case CODE.NEW:
        this.#patch.onNew(old === NO_RECORD ? memory.previous : old);
        return this.#replace(old, this.#next++);
      case CODE.AGAIN:
        return this.#replace(old, memory.replacementOf(old));
      case CODE.KNOWN:
        return this.#replace(old, baseOf(memory) + unzigzag(known.varint()));
      default:
        throw codes.error(`has the unknown code ${code}`);
    }
  }

  #replace(old: number, record: number): number {
    const slot = this.#leaf(record);
    this.#memory.replace(old, record);
    return slot;
  }

  #leaf(record: number): number {
    if (record >= 0 && record < this.#next) return leafSlot(record);
    throw this.#patch.codes.error('refers to a record that does not exist');
  }

  #open(): number {
    const column = this.#out;
    if (column.length + 2 > column.values.length) column.reserve(2);
    column.length += 2;
    return (column.length >>> 1) - 1;
  }
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
