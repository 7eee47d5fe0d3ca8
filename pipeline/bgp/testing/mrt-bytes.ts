import * as mrt from '../../../fixtures/generate/mrt-encoder.js';
import { parseAddress, type Family } from '../../net/address.js';
import { parsePrefix } from '../../net/prefix.js';

export { u16, u32, u8 } from '../../../fixtures/generate/mrt-encoder.js';

const { u16, u32, u8 } = mrt;

/** Returns the 4 or 16 bytes of an address. */
export function address(text: string): Buffer {
  const { address: words, family } = parseAddress(text)!;
  return family === 4 ? u32(words[3]!) : u32(...words);
}

/** Returns a view of the same bytes, as readers take them. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function familyOf(text: string): Family {
  return text.includes(':') ? 6 : 4;
}

/** The time of the dumps of tests, in seconds since 1970. */
export const TIME = 1_400_824_800;

/** Encodes a record. */
export function record(type: number, subtype: number, message: Buffer, time = TIME): Buffer {
  return mrt.mrtRecord({ time, type, subtype }, message);
}

/** A session with an address as text. */
export interface PeerText {
  readonly address: string;
  readonly asn: number;
  /** Whether the AS number has 2 bytes. */
  readonly narrow?: boolean;
}

/** Encodes a PEER_INDEX_TABLE. */
export function peerIndexTable(peers: readonly PeerText[], viewName = ''): Buffer {
  return mrt.peerIndexTable({
    time: TIME,
    collectorId: 0xc000_0201,
    viewName,
    sessions: peers.map(({ address: text, asn, narrow = false }) => ({
      address: address(text),
      asn,
      isNarrow: narrow,
    })),
  });
}

/** Encodes a prefix. */
export function nlri(text: string): Buffer {
  const slash = text.indexOf('/');
  return mrt.prefixBytes(address(text.slice(0, slash)), Number(text.slice(slash + 1)));
}

/** Encodes a path attribute, with extended length if needed or requested. */
export function attribute(type: number, value: Buffer, { extended = value.length > 255 } = {}): Buffer {
  return mrt.pathAttribute(type, value, { isExtended: extended });
}

const SEGMENT_TYPES = { '{': 1, '(': 3, '[': 4 } as const;
const SEGMENTS = /\{[^}]*\}|\([^)]*\)|\[[^\]]*\]|[\d ]+/g;

/** Encodes a path as printed by bgpdump: `701 {1,2}`; confederation sequences in `( )`, sets in `[ ]`. */
export function asPath(text: string, asnBytes: 2 | 4 = 4): Buffer {
  const segments = (text.match(SEGMENTS) ?? []).map((segment) => segment.trim()).filter(Boolean);
  return mrt.asPathValue(
    segments.map((segment) => ({
      type:
        (SEGMENT_TYPES[segment[0] as keyof typeof SEGMENT_TYPES] as number | undefined) ?? mrt.AS_SEQUENCE,
      asns: (segment.match(/\d+/g) ?? []).map(Number),
    })),
    asnBytes,
  );
}

/** A route of a peer with its path as text. */
export interface RouteText {
  /** The position in the peer index table. */
  readonly peer: number;
  /** As printed by bgpdump. */
  readonly path: string;
  readonly pathId?: number;
  /** Attributes after ORIGIN, AS_PATH and NEXT_HOP. */
  readonly more?: Buffer;
}

function attributesOf(path: Buffer, more: Buffer): Buffer {
  return Buffer.concat([attribute(1, u8(0)), attribute(2, path), attribute(3, address('192.0.2.1')), more]);
}

/** Encodes a RIB entry. */
export function ribEntry({ peer, path, pathId, more = Buffer.alloc(0) }: RouteText): Buffer {
  const attributes = attributesOf(asPath(path), more);
  return mrt.ribEntry({ peer, originated: TIME - 86_400, pathId, attributes });
}

/** Encodes the routes of one prefix, as the ADD-PATH subtype if the first route has a path identifier. */
export function rib(prefix: string, routes: readonly RouteText[]): Buffer {
  const isAddPath = routes[0]?.pathId !== undefined;
  const subtype = (familyOf(prefix) === 4 ? 2 : 4) + (isAddPath ? 6 : 0);
  return record(13, subtype, Buffer.concat([u32(0), nlri(prefix), entries(routes)]));
}

/** Encodes RIB_GENERIC (RFC 6396 §4.3.3). */
export function ribGeneric(prefix: string, routes: readonly RouteText[], safi = 1): Buffer {
  const afi = familyOf(prefix) === 4 ? 1 : 2;
  return record(13, 6, Buffer.concat([u32(0), u16(afi), u8(safi), nlri(prefix), entries(routes)]));
}

function entries(routes: readonly RouteText[]): Buffer {
  return mrt.ribEntries(routes.map(ribEntry));
}

/** A route of TABLE_DUMP, with 2-byte AS numbers. */
export interface OldRouteText {
  readonly prefix: string;
  readonly peer: PeerText;
  readonly path: string;
  readonly more?: Buffer;
}

/** Encodes a TABLE_DUMP record (RFC 6396 §4.2). */
export function tableDump({ prefix, peer, path, more = Buffer.alloc(0) }: OldRouteText): Buffer {
  const { family } = parsePrefix(prefix)!;
  const slash = prefix.indexOf('/');
  const attributes = attributesOf(asPath(path, 2), more);
  return record(
    12,
    family === 4 ? 1 : 2,
    Buffer.concat([
      u16(0, 0),
      address(prefix.slice(0, slash)),
      u8(Number(prefix.slice(slash + 1)), 1),
      u32(TIME - 86_400),
      address(peer.address),
      u16(peer.asn, attributes.length),
      attributes,
    ]),
  );
}
