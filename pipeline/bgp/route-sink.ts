import type { Prefix } from '../net/prefix.js';
import type { Peer } from './peer-index-table.js';

/** One route of a dump, a prefix as one peer has it. The reader fills it again for every one. */
export interface DumpRoute {
  /** Position in the last table of peers. */
  readonly peer: number;
  /** Path identifier (RFC 7911); 0 where the record has none: a session either tells them or does not. */
  readonly pathId: number;
  /** Holds the value of AS_PATH, AS numbers of 4 bytes, from `pathStart` up to (not including) `pathEnd`. */
  readonly bytes: DataView;
  readonly pathStart: number;
  readonly pathEnd: number;
}

/** Where the routes of one dump go, record by record: what is in a record that turns out bad is taken back. */
export interface RouteSink {
  /** A table of peers begins, in place of the last one. */
  beginPeers(): void;
  /** The next peer of the table. False when there is no room for it. */
  peer(peer: Peer): boolean;
  /** At most `count` routes of this prefix follow; the prefix is the reader's own. */
  begin(prefix: Prefix, count: number, hasPathIds: boolean): void;
  /** False when its path is malformed. */
  route(route: DumpRoute): boolean;
  /** The routes since `begin` are good. */
  keep(): void;
  /** They are not. */
  takeBack(): void;
}
