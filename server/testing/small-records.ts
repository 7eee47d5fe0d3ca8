import type { CityRecord } from '../../pipeline/merge/city-record.js';
import type { Verdict } from '../../pipeline/merge/verdict-record.js';
import type { NetworkRecord } from '../../pipeline/routing/network-records.js';
import type { PeeringIndex } from '../../pipeline/routing/peering-index.js';
import type { AddressRecord } from '../../pipeline/routing/route-schema.js';
import type { AsnRecord } from '../../pipeline/routing/asn-records.js';
import type { IspRecord } from '../../pipeline/isp/isp-record.js';
import { NETWORKS, PEERING } from './small-networks.js';
import { PLACES } from './small-places.js';
import { ROUTES } from './small-routes.js';
import type { Rows } from './small-rows.js';
import { ANNOUNCERS, ISP_ROWS } from './small-isp.js';
import { VERDICTS } from './small-verdicts.js';

/** Addresses with records in the small release, and some without. */
export const SMALL = {
  /** With all records: place, ISP, valid route with a covering route and neighbours, no exchange. */
  google: '8.8.8.8',
  googleV6: '2001:4860:4860::8888',
  /** Anycast: a country without a city. Its route has no parent. */
  cloudflare: '1.1.1.1',
  /** Region and city with the same name, 上海; a carrier line; an invalid route. */
  shanghai: '202.96.209.133',
  /** Proton VPN in Zürich: fraud_score, last_seen, provider, threat. */
  vpn: '185.159.157.13',
  tor: '185.220.101.1',
  /** AWS in Seoul: a cloud, not a proxy. */
  cloud: '3.5.140.1',
  /** Latitude 0, longitude 0. */
  equator: '197.159.160.1',
  hongKong: '1.64.0.1',
  macao: '60.246.0.1',
  taiwan: '1.160.0.1',
  /** A country without coordinates, with an English name only; no ISP record, no route. */
  sparse: '41.74.0.1',
  /** A place and an ISP with Chinese names only. */
  chineseOnly: '223.255.252.1',
  /** In the peering LAN of DE-CIX Frankfurt, not announced. */
  exchange: '80.81.192.1',
  /** Announced by two ASes: most peers see 13335, others 4134. */
  moas: '185.1.2.1',
  /** Public, without any record. */
  unknown: '9.9.9.9',
  unknownV6: '2a01:4f8::1',
  /** Reserved. */
  reserved: '10.0.0.1',
} as const;

/** AS numbers of the small release. */
export const SMALL_AS = {
  /** Prefixes of both families, topology, exchanges. */
  google: 15169,
  cloudflare: 13335,
  chinanet: 4134,
  /** Announces one prefix. No link was observed, so it has no topology. */
  withoutTopology: 211398,
  /** Delegated, never announced, no topology. */
  neverAnnounced: 394977,
  /** Unknown. */
  unknown: 399999,
} as const;

/** The records of a small release by table. */
export interface SmallRecords {
  readonly places: Rows<CityRecord>;
  readonly isp: Rows<IspRecord>;
  readonly announcers: Rows<AsnRecord>;
  readonly routes: Rows<AddressRecord>;
  readonly networks: readonly NetworkRecord[];
  /** By feed id, in the order of a manifest. */
  readonly verdicts: ReadonlyMap<string, Rows<Verdict>>;
  readonly peering: PeeringIndex;
}

/**
 * Returns the records of a small release. `marker` is appended to the names of all cities, regions, ISPs, ASes,
 * exchanges, networks and facilities, so each part of an answer shows its release.
 */
export function smallRecords(marker = ''): SmallRecords {
  const records = {
    places: PLACES,
    isp: ISP_ROWS,
    announcers: ANNOUNCERS,
    routes: ROUTES,
    networks: NETWORKS,
    peering: PEERING,
  };
  if (marker === '') return { ...records, verdicts: VERDICTS };
  const verdicts = [...VERDICTS].map(([feed, rows]) => [feed, marked(rows, marker)] as const);
  return { ...marked(records, marker), verdicts: new Map(verdicts) };
}

/** Keys of names, plain or by language. */
const NAMES: ReadonlySet<string> = new Set([
  'name',
  'as_name',
  'entity',
  'isp',
  'isp_names',
  'organization',
  'autonomous_system_organization',
  'city',
  'city_zh',
  'names',
]);

/** Keys that keep their names: tests compare country names. */
const UNMARKED: ReadonlySet<string> = new Set(['country', 'continent']);

/** Returns a copy with the marker appended to every name. */
function marked<T>(value: T, marker: string, isName = false): T {
  if (typeof value === 'string') return (isName ? `${value} ${marker}` : value) as T;
  if (Array.isArray(value)) return value.map((entry: unknown) => marked(entry, marker)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]: [string, unknown]) => [
    key,
    UNMARKED.has(key) ? part : marked(part, marker, isName || NAMES.has(key)),
  ]);
  return Object.fromEntries(entries) as T;
}
