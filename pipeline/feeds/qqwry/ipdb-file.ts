import { z } from 'zod';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';

/**
 * An ipdb file (https://github.com/ipipdotnet/ipdb-go). All integers are big-endian:
 *
 *     u32 n | n bytes of JSON | node_count × (u32 left, u32 right) | records: u16 length, UTF-8 text
 *
 * A child below node_count is a node. A child equal to node_count is empty. Above it, it is a record at child -
 * node_count + 8 × node_count, counted from the end of the JSON. IPv4 is at ::ffff:0:0/96. The text of a record has the
 * fields of all languages, separated by tabs.
 */
export class Ipdb {
  /** The names of the fields of a record. */
  readonly fields: readonly string[];
  readonly #file: Pick<OpenFile, 'id'>;
  readonly #bytes: Buffer;
  /** The offset of the first node in the file. */
  readonly #treeStart: number;
  readonly #nodeCount: number;
  readonly #firstField: number;
  readonly #textCount: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  /**
   * Reads the header. Records are read in `language`. Throws FeedError `container` when the file is not ipdb, `header`
   * when its JSON is invalid, and `truncated` when its size differs from the JSON.
   */
  constructor(file: Pick<OpenFile, 'id'>, bytes: Buffer, language: string) {
    this.#file = file;
    this.#bytes = bytes;
    const { header, end } = readHeader(file, bytes);
    this.#treeStart = end;
    this.#nodeCount = header.node_count;
    this.fields = header.fields;
    if (bytes.length - end !== header.total_size) {
      throw this.#error(
        'truncated',
        `${bytes.length - end} bytes after the header: expected ${header.total_size}`,
      );
    }
    if (header.node_count * NODE_BYTES > header.total_size) {
      throw this.#error('header', `${header.node_count} nodes do not fit in ${header.total_size} bytes`);
    }
    const first = header.languages[language];
    if (first === undefined)
      throw this.#error(
        'header',
        `no language ${language} among ${Object.keys(header.languages).join(', ')}`,
      );
    if ((header.ip_version & IPV4) === 0)
      throw this.#error('header', `ip_version ${header.ip_version} has no IPv4`);
    this.#firstField = first;
    this.#textCount = header.fields.length * Object.keys(header.languages).length;
  }

  /**
   * Visits the IPv4 prefixes with a record, in order. Visits each node at most once, so that a damaged tree cannot
   * cause an endless loop. Throws FeedError `header` when the tree has no IPv4 part.
   */
  walkIpv4(visitor: IpdbVisitor): void {
    const reached = new Uint8Array(this.#nodeCount);
    let root = 0;
    for (let bit = 0; bit < IPV4_BIT; bit++) {
      if (root >= this.#nodeCount || reached[root] === 1) {
        throw this.#error('header', 'no node at ::ffff:0:0/96');
      }
      reached[root] = 1;
      root = this.#child(root, bit < FIRST_ONE_BIT ? 0 : 1);
    }
    this.#walk({ visitor, reached }, root, 0, 0);
  }

  /** Returns the texts of a record in the order of `fields`, or the reason why it cannot be read. */
  textsAt(offset: number): readonly string[] | 'pointer' | 'encoding' | 'columns' {
    const bytes = this.#bytes;
    if (offset + 2 > bytes.length) return 'pointer';
    const end = offset + 2 + bytes.readUInt16BE(offset);
    if (end > bytes.length) return 'pointer';
    const texts = this.#decode(bytes.subarray(offset + 2, end))?.split('\t');
    if (texts === undefined) return 'encoding';
    if (texts.length !== this.#textCount) return 'columns';
    return texts.slice(this.#firstField, this.#firstField + this.fields.length);
  }

  #walk(walk: Walk, child: number, address: number, length: number): void {
    const nodes = this.#nodeCount;
    if (child === nodes) return;
    if (child > nodes) {
      walk.visitor.leaf(address, length, this.#treeStart + child - nodes + nodes * NODE_BYTES);
    } else if (length === IPV4_BITS || walk.reached[child] === 1) {
      walk.visitor.badNode(address, length, this.#treeStart + child * NODE_BYTES);
    } else {
      walk.reached[child] = 1;
      this.#walk(walk, this.#child(child, 0), address, length + 1);
      this.#walk(walk, this.#child(child, 1), (address | (1 << (31 - length))) >>> 0, length + 1);
    }
  }

  #child(node: number, side: 0 | 1): number {
    return this.#bytes.readUInt32BE(this.#treeStart + node * NODE_BYTES + side * 4);
  }

  #decode(bytes: Buffer): string | undefined {
    try {
      return this.#decoder.decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }

  #error(refusal: 'header' | 'truncated', found: string): FeedError {
    return new FeedError(refusal, this.#file.id, found);
  }
}

/** Receives the IPv4 prefixes of a tree. `length` is 0..32. `offset` is from the start of the file. */
export interface IpdbVisitor {
  /** Receives a prefix with a record. The offset may be outside the file. */
  leaf(address: number, length: number, offset: number): void;
  /** Receives a prefix with a node below 32 bits, or a node that was reached before. It is not followed. */
  badNode(address: number, length: number, offset: number): void;
}

interface Walk {
  readonly visitor: IpdbVisitor;
  /** 1 for each node reached. */
  readonly reached: Uint8Array;
}

const NODE_BYTES = 8;
const HEADER_BYTES_MAX = 64 * 1024;
/** A bit of `ip_version`. */
const IPV4 = 1;
const IPV4_BITS = 32;
/** ::ffff:0:0/96: 80 zeros, 16 ones. */
const IPV4_BIT = 96;
const FIRST_ONE_BIT = 80;

const count = z.int().nonnegative();
const headerSchema = z.object({
  ip_version: count,
  languages: z.record(z.string(), count),
  fields: z.array(z.string()).min(1),
  node_count: z.int().positive(),
  total_size: count,
});

type Header = z.infer<typeof headerSchema>;

function readHeader(file: Pick<OpenFile, 'id'>, bytes: Buffer): { header: Header; end: number } {
  const length = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
  if (length > HEADER_BYTES_MAX || bytes[4] !== 0x7b) {
    throw new FeedError(
      'container',
      file.id,
      `not an ipdb file: begins with bytes ${bytes.toString('hex', 0, 8)}`,
    );
  }
  const end = 4 + length;
  if (end > bytes.length) throw new FeedError('truncated', file.id, 'ends inside its header');
  try {
    const json: unknown = JSON.parse(bytes.toString('utf8', 4, end));
    return { header: headerSchema.parse(json), end };
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    throw new FeedError('header', file.id, `invalid JSON header: ${error.message}`, { cause: error });
  }
}
