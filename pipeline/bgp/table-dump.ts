import { newAddress, type Family } from '../net/address.js';
import type { Reason } from '../input/tally.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { mergeAs4Path, widenPath } from './as4-path.js';
import type { MrtRecord } from './mrt-frame.js';
import type { NlriPrefix } from './nlri.js';
import { AGGREGATOR, AS4_AGGREGATOR, AS4_PATH, AS_PATH, PathAttribute } from './path-attributes.js';
import type { Peer } from './peer-index-table.js';
import type { DumpRoute } from './route-sink.js';
import { readAddress } from './wire-address.js';

/**
 * Reads TABLE_DUMP records (RFC 6396 §4.2); the subtype is the address family. One route per record:
 *
 *     view u16 | sequence u16 | prefix 4 or 16 bytes | length u8 | status u8 | originated u32 |
 *     peer address 4 or 16 bytes | peer AS u16 | attributes: length u16, bytes
 */
export class TableDump implements DumpRoute {
  /** The peers so far, in the order of their first route. */
  readonly peers: Peer[] = [];
  peer = 0;
  readonly pathId = 0;
  bytes: DataView = new DataView(new ArrayBuffer(0));
  readonly pathStart = 0;
  pathEnd = 0;
  readonly #attribute = new PathAttribute();
  readonly #positions = new TupleMemo(PEER_WORDS);
  readonly #address = newAddress();
  readonly #key = new Int32Array(PEER_WORDS);

  /**
   * Reads the prefix into `prefix` and the rest into the fields. Returns the reason if the record is bad, else
   * undefined.
   */
  read({ bytes, start, end }: MrtRecord, family: Family, prefix: NlriPrefix): Reason | undefined {
    const addressBytes = family === 4 ? 4 : 16;
    const lengthAt = start + 4 + addressBytes;
    const peerAt = lengthAt + 6;
    const asnAt = peerAt + addressBytes;
    const attributes = asnAt + 4;
    if (attributes > end || attributes + bytes.getUint16(asnAt + 2) !== end) return 'record-length';
    const refused = prefix.set(bytes, start + 4, family, bytes.getUint8(lengthAt));
    if (refused !== undefined) return refused;
    const path = this.#readPath(bytes, attributes, end);
    if (!path) return 'attribute';
    this.bytes = path;
    this.pathEnd = path.byteLength;
    readAddress(bytes, peerAt, family, this.#address);
    this.peer = this.#positionOf(family, bytes.getUint16(asnAt));
    return undefined;
  }

  #readPath(bytes: DataView, at: number, end: number): DataView | undefined {
    const asPath = this.#value(bytes, at, end, AS_PATH);
    if (!asPath) return undefined;
    const as4Path = this.#value(bytes, at, end, AS4_PATH);
    if (!as4Path || this.#isByOldSpeaker(bytes, at, end)) return widenPath(asPath);
    return mergeAs4Path(asPath, as4Path);
  }

  /**
   * Whether a speaker without support for AS4_PATH aggregated the route. AS4_PATH then belongs to another path and must
   * be ignored (RFC 6793 §4.2.3).
   */
  #isByOldSpeaker(bytes: DataView, at: number, end: number): boolean {
    const aggregator = this.#value(bytes, at, end, AGGREGATOR);
    const isBoth = aggregator !== undefined && this.#value(bytes, at, end, AS4_AGGREGATOR) !== undefined;
    return isBoth && aggregator.byteLength >= 2 && aggregator.getUint16(0) !== AS_TRANS;
  }

  #value(bytes: DataView, at: number, end: number, type: number): DataView | undefined {
    const attribute = this.#attribute;
    if (!attribute.find(bytes, at, end, type) || !attribute.isThere) return undefined;
    return new DataView(bytes.buffer, bytes.byteOffset + attribute.start, attribute.end - attribute.start);
  }

  #positionOf(family: Family, asn: number): number {
    this.#key.set(this.#address);
    this.#key[4] = asn;
    this.#key[5] = family;
    return this.#positions.resolve(this.#key, () => {
      return this.peers.push({ address: this.#address.slice(), family, asn }) - 1;
    });
  }
}

/** Address, AS and family. */
const PEER_WORDS = 6;

/** Placeholder for AS numbers above 65,535 (RFC 6793 §9). */
const AS_TRANS = 23456;
