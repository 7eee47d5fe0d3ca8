import type { Reason, Tally } from '../feeds/tally.js';
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

/** Those that hold routes of one family, unicast. */
const UNICAST: Readonly<Record<number, { readonly family: Family; readonly hasPathIds: boolean }>> = {
  2: { family: 4, hasPathIds: false },
  4: { family: 6, hasPathIds: false },
  8: { family: 4, hasPathIds: true },
  10: { family: 6, hasPathIds: true },
};

/** Address families (AFI; the subtypes of TABLE_DUMP too), and the one SAFI that is routing as it is meant here. */
const FAMILIES: Readonly<Record<number, Family>> = { 1: 4, 2: 6 };
const SAFI_UNICAST = 1;

/**
 * Reads the records of one dump: hands their routes on to a sink, and answers for every record in the tally, bad ones
 * by reason. Kinds of records that hold other things (multicast, updates, places of peers) are passed and noted.
 */
export class DumpReader implements MrtVisitor {
  /** Time of the first record, in seconds since 1970; absent before it. */
  time: number | undefined;
  /** Records that hold routes, or should. */
  routeRecords = 0;
  readonly #sink: RouteSink;
  readonly #tally: Tally;
  readonly #prefix = new NlriPrefix();
  readonly #entries = new RibEntries();
  readonly #tableDump = new TableDump();
  /** The last table of peers; absent before it, and when it is bad. */
  #indexTable: readonly Peer[] | undefined;
  /** The table that the sink knows, and how many of its peers: that of TABLE_DUMP grows. */
  #told: readonly Peer[] | undefined;
  #toldPeers = 0;
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
      return this.#indexTable && this.#tell(this.#indexTable) ? undefined : 'peer-index';
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

  /** AFI/SAFI-specific subtypes (RFC 6396 §4.3.2): sequence u32 | prefix | count u16 | entries. From the prefix on. */
  #readRoutes(
    { bytes, end }: MrtRecord,
    at: number,
    family: Family,
    hasPathIds: boolean,
  ): Reason | undefined {
    this.routeRecords++;
    const peers = this.#indexTable;
    if (!peers || !this.#tell(peers)) return 'peer-index';
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
    if (!this.#tell(route.peers)) return 'peer-index';
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

  /** Sees to it that the sink knows this table of peers. False when there is no room for it. */
  #tell(peers: readonly Peer[]): boolean {
    if (this.#told !== peers) {
      this.#told = peers;
      this.#toldPeers = 0;
      this.#hasRoom = true;
      this.#sink.beginPeers();
    }
    while (this.#hasRoom && this.#toldPeers < peers.length) {
      this.#hasRoom = this.#sink.peer(peers[this.#toldPeers++]!);
    }
    return this.#hasRoom;
  }
}

/** What kind of record it is, and how it begins. */
function describe({ type, subtype, bytes, start, end }: MrtRecord): string {
  const shown = Math.min(end - start, EXCERPT_BYTES);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset + start, shown).toString('hex');
  return `${type}/${subtype}, ${end - start} bytes: ${head}`;
}

const EXCERPT_BYTES = 40;
