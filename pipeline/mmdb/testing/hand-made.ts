import { METADATA_MARKER } from '../encode-metadata.js';
import type { RecordSize } from '../tree-bytes.js';

/**
 * MMDB values and files encoded by hand, valid or invalid. Nothing is checked, and nothing of the writer is used:
 * readers are tested against the format and not against our own writer.
 */

/** Encodes a control byte: `TTTSSSSS`, or `000SSSSS` and `type - 7`, and the size bytes. */
export function control(type: number, size: number): Buffer {
  const short = size < 29 ? size : size < 285 ? 29 : size < 65_821 ? 30 : 31;
  const head = type <= 7 ? [(type << 5) | short] : [short, type - 7];
  const extra = size - [29, 285, 65_821][short - 29]!;
  const tail = short < 29 ? [] : [extra >>> 16, (extra >>> 8) & 255, extra & 255].slice(31 - short);
  return Buffer.from([...head, ...tail]);
}

export function utf8(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([control(2, bytes.length), bytes]);
}

/** Encodes a value with a payload in hex. */
export function payload(type: number, hex: string): Buffer {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  return Buffer.concat([control(type, bytes.length), bytes]);
}

export function uint16(value: number): Buffer {
  return payload(5, minimalHex(value));
}

export function uint32(value: number): Buffer {
  return payload(6, minimalHex(value));
}

export function uint64(value: bigint | number): Buffer {
  return payload(9, minimalHex(value));
}

export function boolean(value: boolean): Buffer {
  return control(14, value ? 1 : 0);
}

export function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return Buffer.concat([control(3, 8), bytes]);
}

/** Encodes a map. A key is a text, or an encoded value of any type. */
export function map(...entries: readonly (readonly [key: string | Buffer, value: Buffer])[]): Buffer {
  const parts = entries.flatMap(([key, value]) => [typeof key === 'string' ? utf8(key) : key, value]);
  return Buffer.concat([control(7, entries.length), ...parts]);
}

export function array(...elements: readonly Buffer[]): Buffer {
  return Buffer.concat([control(11, elements.length), ...elements]);
}

/** Encodes `levels` nested arrays around `inner`. */
export function nested(levels: number, inner: Buffer): Buffer {
  return Buffer.concat([...Array.from({ length: levels }, () => control(11, 1)), inner]);
}

/** Encodes the shortest pointer to an offset. */
export function pointer(target: number): Buffer {
  if (target < 2048) return Buffer.from([0x20 | (target >>> 8), target & 255]);
  if (target < 526_336) {
    const value = target - 2048;
    return Buffer.from([0x28 | (value >>> 16), (value >>> 8) & 255, value & 255]);
  }
  if (target < 134_744_064) {
    const value = target - 526_336;
    return Buffer.from([0x30 | (value >>> 24), (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);
  }
  const bytes = Buffer.alloc(5, 0x38);
  bytes.writeUInt32BE(target, 1);
  return bytes;
}

/** A record of a node: none, another node, an offset in the data section, or a literal value. */
export type HandMadeRecord = 'none' | { node: number } | { data: number } | { raw: number };
export type HandMadeNode = readonly [left: HandMadeRecord, right: HandMadeRecord];

export interface HandMadeFile {
  readonly nodes: readonly HandMadeNode[];
  readonly data: Buffer;
  readonly recordSize?: RecordSize;
  readonly ipVersion?: 4 | 6;
  /** Replaces the 16 zero bytes between tree and data. */
  readonly separator?: Buffer;
  /** Replaces metadata values by key; undefined leaves the key out. */
  readonly metadata?: Readonly<Record<string, Buffer | undefined>>;
  /** Replaces the marker and everything after it. */
  readonly tail?: Buffer;
}

/** Encodes a file. */
export function handMade(file: HandMadeFile): Buffer {
  const { nodes, data, recordSize = 24, ipVersion = 4 } = file;
  const valueOf = (record: HandMadeRecord): number => {
    if (record === 'none') return nodes.length;
    if ('node' in record) return record.node;
    return 'raw' in record ? record.raw : nodes.length + 16 + record.data;
  };
  const tree = nodes.map(([left, right]) => nodeBytes(valueOf(left), valueOf(right), recordSize));
  const tail = file.tail ?? metadataTail(nodes.length, recordSize, ipVersion, file.metadata);
  return Buffer.concat([...tree, file.separator ?? Buffer.alloc(16), data, tail]);
}

/** Creates a chain of nodes along the left side, with nothing on their right. The path to ::/96 has 96 nodes. */
export function leftChain(levels: number, end: HandMadeRecord, from = 0): HandMadeNode[] {
  return Array.from({ length: levels }, (_, i) => [i === levels - 1 ? end : { node: from + i + 1 }, 'none']);
}

/** Encodes marker and metadata. */
export function metadataTail(
  nodeCount: number,
  recordSize: number,
  ipVersion: number,
  changes: Readonly<Record<string, Buffer | undefined>> = {},
): Buffer {
  const values: Readonly<Record<string, Buffer | undefined>> = {
    binary_format_major_version: uint16(2),
    binary_format_minor_version: uint16(0),
    build_epoch: uint64(1_760_000_000),
    database_type: utf8('Test'),
    description: map(['en', utf8('by hand')]),
    ip_version: uint16(ipVersion),
    languages: array(utf8('en')),
    node_count: uint32(nodeCount),
    record_size: uint16(recordSize),
    ...changes,
  };
  const entries = Object.entries(values).filter((entry): entry is [string, Buffer] => entry[1] !== undefined);
  return Buffer.concat([METADATA_MARKER, map(...entries)]);
}

function nodeBytes(left: number, right: number, recordSize: RecordSize): Buffer {
  const bytes = Buffer.alloc(recordSize / 4);
  if (recordSize === 32) {
    bytes.writeUInt32BE(left, 0);
    bytes.writeUInt32BE(right, 4);
    return bytes;
  }
  bytes.writeUIntBE(left & 0xffffff, 0, 3);
  bytes.writeUIntBE(right & 0xffffff, recordSize === 24 ? 3 : 4, 3);
  if (recordSize === 28) bytes[3] = ((left >>> 24) << 4) | (right >>> 24);
  return bytes;
}

function minimalHex(value: bigint | number): string {
  const hex = BigInt(value) === 0n ? '' : value.toString(16);
  return hex.padStart(hex.length + (hex.length & 1), '0');
}
