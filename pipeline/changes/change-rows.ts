import { newAddress, type Address } from '../net/address.js';
import { formatPrefix } from '../net/prefix.js';
import { ValueDecoder, type MmdbValue } from '../mmdb/decode.js';
import { isNode, NONE, recordIdOf } from '../table/slots.js';
import type { FileTree } from './file-tree.js';
import type { ComparedFiles } from './make-delta.js';

/** The columns of the rows of changes. */
export const CHANGE_COLUMNS = ['build', 'network', 'field', 'before', 'after'] as const;

type Fields = ReadonlyMap<string, string>;

/**
 * Returns the changes as CSV without a header, in address order: for each network whose record changed, a row for each
 * field that differs. A field is a path such as `city.names.en`; an absent value is empty. `build` is the build time of
 * the new file.
 */
export function changeRows(compared: ComparedFiles): Buffer {
  return new Listing(compared).rows();
}

class Listing {
  readonly #compared: ComparedFiles;
  readonly #old: Fielded;
  readonly #new: Fielded;
  readonly #address: Address = newAddress();
  readonly #above: number;
  readonly #build: string;
  readonly #chunks: Buffer[] = [];
  #lines: string[] = [];
  /** The end of the rows of a pair of records, after the network. */
  readonly #differences = new Map<string, readonly string[]>();

  constructor(compared: ComparedFiles) {
    this.#compared = compared;
    this.#old = new Fielded(compared.old);
    this.#new = new Fielded(compared.new);
    const { ipVersion, buildEpoch } = compared.new.metadata;
    this.#above = ipVersion === 4 ? 96 : 0;
    this.#build = new Date(buildEpoch * 1000).toISOString().replace('.000Z', 'Z');
  }

  rows(): Buffer {
    this.#below(0, 0, this.#above);
    this.#flush();
    return Buffer.concat(this.#chunks);
  }

  #flush(): void {
    this.#chunks.push(Buffer.from(this.#lines.join('')));
    this.#lines = [];
  }

  /** Walks the slots of both trees at one prefix; a leaf of one tree stands for all networks of the other. */
  #below(old: number, now: number, depth: number): void {
    if (!isNode(old) && !isNode(now)) {
      this.#network(old, now, depth);
      return;
    }
    const bit = 1 << (31 - (depth & 31));
    const word = depth >>> 5;
    for (let side = 0; side < 2; side++) {
      if (side === 1) this.#address[word] = this.#address[word]! | bit;
      const oldSlot = isNode(old) ? this.#compared.old.slots[2 * old + side]! : old;
      const newSlot = isNode(now) ? this.#compared.new.slots[2 * now + side]! : now;
      if (!this.#isSame(oldSlot, newSlot)) this.#below(oldSlot, newSlot, depth + 1);
    }
    this.#address[word] = this.#address[word]! & ~bit;
  }

  #isSame(old: number, now: number): boolean {
    if (old === NONE || now === NONE) return old === now;
    return !isNode(old) && !isNode(now) && this.#compared.oldNumbers[recordIdOf(now)] === recordIdOf(old);
  }

  #network(old: number, now: number, length: number): void {
    if (this.#isSame(old, now)) return;
    const network = formatPrefix(this.#address, length);
    for (const difference of this.#differencesOf(old, now))
      this.#lines.push(`${this.#build},${network},${difference}\r\n`);
    if (this.#lines.length >= LINES_PER_CHUNK) this.#flush();
  }

  #differencesOf(old: number, now: number): readonly string[] {
    const key = `${old} ${now}`;
    const known = this.#differences.get(key);
    if (known) return known;
    const [before, after] = [this.#old.fieldsOf(old), this.#new.fieldsOf(now)];
    const names = [...before.keys(), ...[...after.keys()].filter((name) => !before.has(name))];
    const rows = names
      .filter((name) => before.get(name) !== after.get(name))
      .map((name) => [name, before.get(name) ?? '', after.get(name) ?? ''].map(quoted).join(','));
    if (this.#differences.size >= MOST_DIFFERENCES) this.#differences.clear();
    this.#differences.set(key, rows);
    return rows;
  }
}

const LINES_PER_CHUNK = 10_000;
const MOST_DIFFERENCES = 100_000;

/** The records of a file as fields by path. */
class Fielded {
  readonly #tree: FileTree;
  readonly #decoder: ValueDecoder;

  constructor(tree: FileTree) {
    this.#tree = tree;
    this.#decoder = new ValueDecoder(tree.data);
  }

  fieldsOf(leaf: number): Fields {
    const fields = new Map<string, string>();
    if (leaf !== NONE) addFields(this.#decoder.decode(this.#tree.offsets[recordIdOf(leaf)]!), '', fields);
    return fields;
  }
}

function addFields(value: MmdbValue, path: string, fields: Map<string, string>): void {
  if (Buffer.isBuffer(value)) fields.set(path, value.toString('hex'));
  else if (typeof value !== 'object') fields.set(path, String(value));
  else
    for (const [name, inner] of Object.entries(value))
      addFields(inner, path === '' ? name : `${path}.${name}`, fields);
}

/** Quotes a value as RFC 4180 does. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
