import type { Reason } from '../input/tally.js';
import { AS_PATH, PathAttribute } from './path-attributes.js';
import type { DumpRoute, RouteSink } from './route-sink.js';

/** The layout of the entries of a record. */
export interface EntryLayout {
  readonly count: number;
  readonly hasPathIds: boolean;
  /** The size of the peer index table that entries refer to. */
  readonly peerCount: number;
}

/**
 * Reads RIB entries of TABLE_DUMP_V2 (RFC 6396 §4.3.4), optionally with ADD-PATH path identifiers (RFC 8050 §4.1):
 *
 *     peer index u16 | originated u32 | [path identifier u32] | attributes: length u16, bytes
 *
 * This is the hot loop of reading a dump: only integers, no object per entry.
 */
export class RibEntries implements DumpRoute {
  peer = 0;
  pathId = 0;
  bytes: DataView = new DataView(new ArrayBuffer(0));
  pathStart = 0;
  pathEnd = 0;
  readonly #path = new PathAttribute();

  /**
   * Passes the entries from `at` to the sink; they must end at `end`. Returns the reason if they are bad, else
   * undefined.
   */
  walk(at: number, end: number, layout: EntryLayout, sink: RouteSink): Reason | undefined {
    const { count, hasPathIds, peerCount } = layout;
    const bytes = this.bytes;
    const head = hasPathIds ? 12 : 8;
    for (let i = 0; i < count; i++) {
      const attributes = at + head;
      if (attributes > end) return 'record-length';
      const next = attributes + bytes.getUint16(attributes - 2);
      if (next > end) return 'record-length';
      this.peer = bytes.getUint16(at);
      if (this.peer >= peerCount) return 'peer-index';
      if (hasPathIds) this.pathId = bytes.getUint32(at + 6);
      if (!this.#findPath(attributes, next) || !sink.route(this)) return 'attribute';
      at = next;
    }
    return at === end ? undefined : 'record-length';
  }

  /** Returns false if the attributes are malformed or lack AS_PATH. */
  #findPath(at: number, end: number): boolean {
    const path = this.#path;
    if (!path.find(this.bytes, at, end, AS_PATH)) return false;
    this.pathStart = path.isThere ? path.start : end;
    this.pathEnd = path.isThere ? path.end : end;
    // A route that the collector itself originates has no attributes at all.
    return path.isThere || at === end;
  }
}
