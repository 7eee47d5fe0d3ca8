import type {
  AnnouncerRecord,
  NetworkRecord,
  PlaceRecord,
  RoutedRecord,
  IspRecord,
  VerdictRecord,
} from '../release/records.js';
import type { AddressTable, AnswerTable, Snapshot } from '../release/snapshot.js';

/** Records by single address. */
type Rows<Row> = Readonly<Record<string, Row>>;

/** The contents of a test snapshot. Missing tables are empty. */
export interface SnapshotRows {
  readonly places?: Rows<PlaceRecord>;
  readonly isp?: Rows<IspRecord>;
  readonly announcers?: Rows<AnnouncerRecord>;
  readonly routes?: Rows<RoutedRecord>;
  readonly verdicts?: Readonly<Record<string, Rows<VerdictRecord>>>;
  readonly networks?: readonly NetworkRecord[];
}

/** Returns a snapshot with the rows of a test. */
export function mapSnapshot(rows: SnapshotRows): Snapshot {
  const networks = new Map((rows.networks ?? []).map((network) => [network.asn, network]));
  const verdicts = Object.entries(rows.verdicts ?? {});
  return {
    id: '20261121T000000Z-0123456789ab',
    buildEpoch: 1_795_219_200,
    places: tableOf(rows.places),
    isp: tableOf(rows.isp),
    announcers: tableOf(rows.announcers),
    routes: tableOf(rows.routes),
    verdicts: new Map(verdicts.map(([feed, of]) => [feed, tableOf(of)])),
    networkOf: (asn) => networks.get(asn),
    answers: answersOf(rows),
    peering: { find: () => ({ nets: [], facs: [] }) },
    datasets: new Map(),
    status: { isSample: false, inputs: [] },
  };
}

function tableOf<Row>(rows: Rows<Row> = {}): AddressTable<Row> {
  const records = new Map(Object.entries(rows));
  return { get: (ip) => records.get(ip) };
}

/** Numbers the rows of each table. */
function answersOf({ places = {}, isp = {}, announcers = {}, routes = {} }: SnapshotRows): AnswerTable {
  const numbers = [places, isp, announcers, routes].map((rows) => Object.keys(rows));
  return {
    find: (ip) => {
      const [place, operator, announcer, route] = numbers.map((ips) => ips.indexOf(ip) + 1);
      return { place: place!, isp: operator!, announcer: announcer!, route: route! };
    },
  };
}
