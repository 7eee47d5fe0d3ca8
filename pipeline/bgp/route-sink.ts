import type { Prefix } from '../net/prefix.js';
import type { Peer } from './peer-index-table.js';

/** One route of a dump: one peer's path to a prefix. The reader reuses the object for every route. */
export interface DumpRoute {
  /** The position in the last peer table. */
  readonly peer: number;
  /** The path identifier (RFC 7911); 0 in records without path identifiers. */
  readonly pathId: number;
  /** The value of AS_PATH with 4-byte AS numbers is from `pathStart` up to (not including) `pathEnd`. */
  readonly bytes: DataView;
  readonly pathStart: number;
  readonly pathEnd: number;
}

/** Receives the routes of one dump, record by record. The routes of a bad record are taken back. */
export interface RouteSink {
  /** Starts a peer table that replaces the last one. */
  beginPeers(): void;
  /** Adds the next peer of the table. Returns false if there is no room for it. */
  peer(peer: Peer): boolean;
  /** Starts a record with at most `count` routes of one prefix. The reader reuses the prefix object. */
  begin(prefix: Prefix, count: number, hasPathIds: boolean): void;
  /** Adds a route. Returns false if its path is malformed. */
  route(route: DumpRoute): boolean;
  /** Ends the record and keeps its routes. */
  keep(): void;
  /** Ends the record and discards its routes. */
  takeBack(): void;
}
