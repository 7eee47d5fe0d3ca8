import type { Reason, Tally } from '../input/tally.js';
import type { Family } from '../net/address.js';
import { TABLE_DUMP, TABLE_DUMP_V2, type MrtRecord, type MrtVisitor } from './mrt-frame.js';
import { NlriPrefix } from './nlri.js';
import { readPeerIndexTable, type Peer } from './peer-index-table.js';
import { RibEntries } from './rib-entries.js';
import type { RouteSink } from './route-sink.js';
import { TableDump } from './table-dump.js';

/** Subtypes of TABLE_DUMP_V2 (RFC 6396 §4.3, RFC 6397, RFC 8050 §4). */
const PEER_INDEX_TABLE = 1;
const RIB_GENERIC = 6;
const LAST_SUBTYPE = 12;

/** The subtypes with unicast routes of one family. */
const UNICAST: Readonly<Record<number, { readonly family: Family; readonly hasPathIds: boolean }>> = {
  2: { family: 4, hasPathIds: false },
  4: { family: 6, hasPathIds: false },
  8: { family: 4, hasPathIds: true },
  10: { family: 6, hasPathIds: true },
};

/** Address families by AFI (the subtypes of TABLE_DUMP have the same numbers), and the only SAFI that is read. */
const FAMILIES: Readonly<Record<number, Family>> = { 1: 4, 2: 6 };
const SAFI_UNICAST = 1;

/**
 * Reads the records of one dump and passes their routes to a sink. Every record is counted in the tally, bad ones by
 * reason. Records without unicast routes (multicast, updates, peer locations) are noted as `skipped`.
 */
export class DumpReader implements MrtVisitor {
  /** The time of the first record, in seconds since 1970; undefined before it. */
  time: number | undefined;
  /** The number of records of types that contain routes, bad ones included. */
  routeRecords = 0;
  readonly #sink: RouteSink;
  readonly #tally: Tally;
  readonly #prefix = new NlriPrefix();
  readonly #entries = new RibEntries();
  readonly #tableDump = new TableDump();
  /** The last peer index table; undefined before the first and after a bad one. */
  #indexTable: readonly Peer[] | undefined;
  /** The peer table that the sink has, and the number of its peers passed so far (the table of TABLE_DUMP grows). */
  #sinkTable: readonly Peer[] | undefined;
  #sinkPeers = 0;
  #hasRoom = true;

  constructor(sink: RouteSink, tally: Tally) {
    this.#sink = sink;
    this.#tally = tally;
  }

  record(record: MrtRecord): void {
    this.time ??= record.time;
    const reason = this.#read(record);
    if (reason === undefined) this.#tally.accept();
    else this.#tally.reject(reason, record.offset, describe(record));
  }

  #read(record: MrtRecord): Reason | undefined {
    const { type, subtype, bytes, start, end } = record;
    if (type === TABLE_DUMP) return this.#readTableDump(record);
    if (type !== TABLE_DUMP_V2) return this.#skip();
    const unicast = UNICAST[subtype];
    if (unicast) return this.#readRoutes(record, start + 4, unicast.family, unicast.hasPathIds);
    if (subtype === PEER_INDEX_TABLE) {
      this.#indexTable = readPeerIndexTable(bytes, start, end);
      return this.#indexTable && this.#passPeers(this.#indexTable) ? undefined : 'peer-index';
    }
    if (subtype === RIB_GENERIC) return this.#readGeneric(record);
    return subtype > 0 && subtype <= LAST_SUBTYPE ? this.#skip() : 'record-type';
  }

  #skip(): Reason | undefined {
    this.#tally.note('skipped');
    return undefined;
  }

  /** RIB_GENERIC (RFC 6396 §4.3.3): sequence u32 | AFI u16 | SAFI u8 | prefix | count u16 | entries. */
  #readGeneric(record: MrtRecord): Reason | undefined {
    const { bytes, start, end } = record;
    if (start + 7 > end) return 'record-length';
    const family = FAMILIES[bytes.getUint16(start + 4)];
    if (family === undefined || bytes.getUint8(start + 6) !== SAFI_UNICAST) return this.#skip();
    return this.#readRoutes(record, start + 7, family, false);
  }

  /** AFI/SAFI-specific subtypes (RFC 6396 §4.3.2): sequence u32 | prefix | count u16 | entries. `at` is the prefix. */
  #readRoutes(
    { bytes, end }: MrtRecord,
    at: number,
    family: Family,
    hasPathIds: boolean,
  ): Reason | undefined {
    this.routeRecords++;
    const peers = this.#indexTable;
    if (!peers || !this.#passPeers(peers)) return 'peer-index';
    const refused = this.#prefix.read(bytes, at, end, family);
    if (refused !== undefined) return refused;
    const countAt = this.#prefix.end;
    if (countAt + 2 > end) return 'record-length';
    const count = bytes.getUint16(countAt);
    this.#sink.begin(this.#prefix, Math.min(count, end - countAt), hasPathIds);
    const entries = this.#entries;
    entries.bytes = bytes;
    entries.pathId = 0;
    return this.#settle(
      entries.walk(countAt + 2, end, { count, hasPathIds, peerCount: peers.length }, this.#sink),
    );
  }

  #readTableDump(record: MrtRecord): Reason | undefined {
    const family = FAMILIES[record.subtype];
    if (family === undefined) return 'record-type';
    this.routeRecords++;
    const route = this.#tableDump;
    const refused = route.read(record, family, this.#prefix);
    if (refused !== undefined) return refused;
    if (!this.#passPeers(route.peers)) return 'peer-index';
    this.#sink.begin(this.#prefix, 1, false);
    return this.#settle(this.#sink.route(route) ? undefined : 'attribute');
  }

  #settle(refused: Reason | undefined): Reason | undefined {
    if (refused !== undefined) this.#sink.takeBack();
    else {
      this.#sink.keep();
      if (this.#prefix.hadHostBits) this.#tally.note('host-bits');
    }
    return refused;
  }

  /** Passes a peer table, or its new peers, to the sink. Returns false if the sink has no room for it. */
  #passPeers(peers: readonly Peer[]): boolean {
    if (this.#sinkTable !== peers) {
      this.#sinkTable = peers;
      this.#sinkPeers = 0;
      this.#hasRoom = true;
      this.#sink.beginPeers();
    }
    while (this.#hasRoom && this.#sinkPeers < peers.length) {
      this.#hasRoom = this.#sink.peer(peers[this.#sinkPeers++]!);
    }
    return this.#hasRoom;
  }
}

/** Returns the type, subtype, length and first bytes of a record. */
function describe({ type, subtype, bytes, start, end }: MrtRecord): string {
  const shown = Math.min(end - start, EXCERPT_BYTES);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset + start, shown).toString('hex');
  return `${type}/${subtype}, ${end - start} bytes: ${head}`;
}

const EXCERPT_BYTES = 40;
