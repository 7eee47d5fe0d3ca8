import { ADDRESS_BITS, IPV4_DEPTH, isInIpv4Space, type Address, type Family } from '../net/address.js';
import { FieldDecoder, type WantedKeys } from './field-decoder.js';
import { readMetadata, type MmdbMetadata } from './metadata.js';
import { MmdbError } from './mmdb-error.js';
import { layOut, recordReader, type MmdbLayout, type RecordReader } from './tree-layout.js';

/** The result of a search for an address without a record. */
export const NO_RECORD = -1;

/** The bits of an IPv4 address that are looked up in one step. */
const FIRST_BITS = 16;

/**
 * Finds the records of addresses in a file that is in memory, for many addresses. The records are offsets in the data
 * section: callers can keep what they made of a record, and decode each once.
 */
export class RecordFinder {
  readonly #layout: MmdbLayout;
  readonly #record: RecordReader;
  /** The nodes or records of the first bits of IPv4 addresses; 0, the root, until they were looked up. */
  readonly #first = new Uint32Array(1 << FIRST_BITS);
  readonly #ipv4Start: number;

  /** Throws MmdbError when the metadata or the size of the tree violate the format. */
  constructor(file: Buffer) {
    this.#layout = layOut(file, readMetadata(file));
    this.#record = recordReader(this.#layout.tree, this.metadata.recordSize);
    this.#ipv4Start = this.#findIpv4Start();
  }

  get metadata(): MmdbMetadata {
    return this.#layout.metadata;
  }

  /**
   * Returns the offset of the record of an address, or NO_RECORD. IPv6 addresses in ::/96 have no record: IPv4 is stored
   * there. Throws MmdbError for a damaged tree.
   */
  find(address: Address, family: Family): number {
    if (family === 4) return this.#findIpv4(address[3]!);
    if (this.metadata.ipVersion === 4 || isInIpv4Space(address)) return NO_RECORD;
    const { nodeCount } = this.metadata;
    const record = this.#record;
    let value = 0;
    for (let depth = 0; depth < ADDRESS_BITS && value < nodeCount; depth++)
      value = record(value, (address[depth >>> 5]! >>> (31 - (depth & 31))) & 1);
    return this.#offsetOf(value);
  }

  /** Returns a decoder of some fields of the records. */
  fieldsOf(wanted: WantedKeys): FieldDecoder {
    return new FieldDecoder(this.#layout.data, this.#layout.dataStart, wanted);
  }

  #findIpv4(bits: number): number {
    const { nodeCount } = this.metadata;
    const record = this.#record;
    const first = bits >>> (32 - FIRST_BITS);
    let value = this.#first[first]!;
    if (value === 0) this.#first[first] = value = this.#findFirst(bits);
    for (let depth = FIRST_BITS; depth < 32 && value < nodeCount; depth++)
      value = record(value, (bits >>> (31 - depth)) & 1);
    return this.#offsetOf(value);
  }

  #findFirst(bits: number): number {
    let value = this.#ipv4Start;
    for (let depth = 0; depth < FIRST_BITS && value < this.metadata.nodeCount; depth++)
      value = this.#record(value, (bits >>> (31 - depth)) & 1);
    return value;
  }

  /** Returns the node at ::/96, or the record of a shorter prefix that contains it. */
  #findIpv4Start(): number {
    if (this.metadata.ipVersion === 4) return 0;
    let value = 0;
    for (let depth = 0; depth < IPV4_DEPTH && value < this.metadata.nodeCount; depth++)
      value = this.#record(value, 0);
    return value;
  }

  #offsetOf(value: number): number {
    const { metadata, data, dataBias } = this.#layout;
    if (value === metadata.nodeCount) return NO_RECORD;
    const offset = value - dataBias;
    if (offset >= 0 && offset < data.length) return offset;
    const place = { offset: 0, path: '::/0' };
    if (value < metadata.nodeCount)
      throw new MmdbError('tree-depth', place, `node ${value} is below the last bit of an address`);
    throw new MmdbError('record-range', place, `record ${value} is outside of the data section`);
  }
}
