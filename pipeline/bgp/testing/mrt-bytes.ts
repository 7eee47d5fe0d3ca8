import { parseAddress, type Family } from '../../net/address.js';
import { parsePrefix } from '../../net/prefix.js';

/** Writes MRT byte by byte as RFC 6396 lays it out, for tests; what it gets wrong on purpose is up to the caller. */
export function u8(...values: readonly number[]): Buffer {
  return Buffer.from(values);
}

export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, i) => bytes.writeUInt16BE(value, 2 * i));
  return bytes;
}

export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i));
  return bytes;
}

/** The 4 or 16 bytes of an address. */
export function address(text: string): Buffer {
  const { address: words, family } = parseAddress(text)!;
  return family === 4 ? u32(words[3]!) : u32(...words);
}

/** The same bytes, as readers take them. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function familyOf(text: string): Family {
  return text.includes(':') ? 6 : 4;
}

/** When the dumps of tests are made. */
export const TIME = 1_400_824_800;

/** A record: header and message (§2). */
export function record(type: number, subtype: number, message: Buffer, time = TIME): Buffer {
  return Buffer.concat([u32(time), u16(type, subtype), u32(message.length), message]);
}

/** Somebody at the other end of a session. */
export interface PeerText {
  readonly address: string;
  readonly asn: number;
  /** The AS number is written with 2 bytes. */
  readonly narrow?: boolean;
}

/** PEER_INDEX_TABLE (§4.3.1). */
export function peerIndexTable(peers: readonly PeerText[], viewName = ''): Buffer {
  const name = Buffer.from(viewName);
  return record(
    13,
    1,
    Buffer.concat([
      u32(0xc0000201),
      u16(name.length),
      name,
      u16(peers.length),
      ...peers.map(({ address: text, asn, narrow = false }) =>
        Buffer.concat([
          u8((familyOf(text) === 6 ? 1 : 0) | (narrow ? 0 : 2)),
          u32(0x0a000001),
          address(text),
          narrow ? u16(asn) : u32(asn),
        ]),
      ),
    ]),
  );
}

/** A prefix on the wire: its length, and as many bytes as that takes. */
export function nlri(text: string): Buffer {
  const length = Number(text.slice(text.indexOf('/') + 1));
  const bytes = address(text.slice(0, text.indexOf('/')));
  return Buffer.concat([u8(length), bytes.subarray(0, Math.ceil(length / 8))]);
}

/** A path attribute (RFC 4271 §4.3), with extended length where it needs or is told so. */
export function attribute(type: number, value: Buffer, { extended = value.length > 255 } = {}): Buffer {
  return extended
    ? Buffer.concat([u8(0x50, type), u16(value.length), value])
    : Buffer.concat([u8(0x40, type, value.length), value]);
}

const SEGMENT_TYPES = { '{': 1, '(': 3, '[': 4 } as const;
const SEGMENTS = /\{[^}]*\}|\([^)]*\)|\[[^\]]*\]|[\d ]+/g;

/** The value of an AS_PATH as bgpdump prints it: `701 {1,2}`; confederation sequences in `( )`, sets in `[ ]`. */
export function asPath(text: string, asnBytes: 2 | 4 = 4): Buffer {
  const segments = (text.match(SEGMENTS) ?? []).map((segment) => segment.trim()).filter(Boolean);
  return Buffer.concat(
    segments.flatMap((segment) => {
      const type = SEGMENT_TYPES[segment[0] as keyof typeof SEGMENT_TYPES] as number | undefined;
      const asns = (segment.match(/\d+/g) ?? []).map(Number);
      return [u8(type ?? 2, asns.length), asnBytes === 4 ? u32(...asns) : u16(...asns)];
    }),
  );
}

/** What a peer says about a prefix. */
export interface RouteText {
  /** Position in the table of peers. */
  readonly peer: number;
  /** As bgpdump prints it. */
  readonly path: string;
  readonly pathId?: number;
  /** Behind ORIGIN, AS_PATH and NEXT_HOP. */
  readonly more?: Buffer;
}

function attributesOf(path: Buffer, more: Buffer): Buffer {
  return Buffer.concat([attribute(1, u8(0)), attribute(2, path), attribute(3, address('192.0.2.1')), more]);
}

/** A RIB entry (§4.3.4; RFC 8050 §4.1 where the route has a path identifier). */
export function ribEntry({ peer, path, pathId, more = Buffer.alloc(0) }: RouteText): Buffer {
  const attributes = attributesOf(asPath(path), more);
  return Buffer.concat([
    u16(peer),
    u32(TIME - 86_400),
    pathId === undefined ? Buffer.alloc(0) : u32(pathId),
    u16(attributes.length),
    attributes,
  ]);
}

/** A record of one prefix (§4.3.2), of the ADD-PATH subtype where its first route has a path identifier. */
export function rib(prefix: string, routes: readonly RouteText[]): Buffer {
  const isAddPath = routes[0]?.pathId !== undefined;
  const subtype = (familyOf(prefix) === 4 ? 2 : 4) + (isAddPath ? 6 : 0);
  return record(13, subtype, Buffer.concat([u32(0), nlri(prefix), entries(routes)]));
}

/** RIB_GENERIC (§4.3.3). */
export function ribGeneric(prefix: string, routes: readonly RouteText[], safi = 1): Buffer {
  const afi = familyOf(prefix) === 4 ? 1 : 2;
  return record(13, 6, Buffer.concat([u32(0), u16(afi), u8(safi), nlri(prefix), entries(routes)]));
}

function entries(routes: readonly RouteText[]): Buffer {
  return Buffer.concat([u16(routes.length), ...routes.map(ribEntry)]);
}

/** A route of TABLE_DUMP (§4.2), AS numbers in 2 bytes. */
export interface OldRouteText {
  readonly prefix: string;
  readonly peer: PeerText;
  readonly path: string;
  readonly more?: Buffer;
}

/** TABLE_DUMP (§4.2). */
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
