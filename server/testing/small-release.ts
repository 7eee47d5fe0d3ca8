import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CITY_LANGUAGES, CITY_SCHEMA } from '../../pipeline/merge/city-record.js';
import { VERDICT_LANGUAGES, VERDICT_SCHEMA } from '../../pipeline/merge/verdict-record.js';
import type { Schema } from '../../pipeline/mmdb/schema.js';
import { writeMmdb } from '../../pipeline/mmdb/write.js';
import { parsePrefix } from '../../pipeline/net/prefix.js';
import type { Dataset, Manifest, ManifestFile, ManifestIndex } from '../../pipeline/release/contract.js';
import { sha256Text } from '../../pipeline/release/digest.js';
import { addEditions } from '../../pipeline/release/add-editions.js';
import { publishRelease } from '../../pipeline/release/publish-release.js';
import { exampleInput } from '../../pipeline/release/testing/example-release.js';
import { releaseId, releasesDir, UNFINISHED } from '../../pipeline/release/release-store.js';
import { ASN_SCHEMA, type AsnRecord } from '../../pipeline/routing/asn-records.js';
import { NETWORK_SCHEMA } from '../../pipeline/routing/network-records.js';
import { encodePeeringIndex } from '../../pipeline/routing/peering-index.js';
import { ROUTES_SCHEMA } from '../../pipeline/routing/route-schema.js';
import { ISP_DATABASE_TYPE, ISP_LANGUAGES, ISP_SCHEMA } from '../../pipeline/isp/isp-record.js';
import { PrefixTable } from '../../pipeline/table/prefix-table.js';
import { formatIpv4 } from '../../pipeline/net/address.js';
import type { Rows } from './small-rows.js';
import { smallRecords, type SmallRecords } from './small-records.js';

/** 2026-11-21T00:00:00Z, the build date in file names of a small release. */
export const SMALL_BUILD_EPOCH = 1_795_219_200;

/** Options of a small release. */
export interface SmallReleaseOptions {
  /** Seconds since 1970, SMALL_BUILD_EPOCH by default. Another value gives another release. */
  readonly buildEpoch?: number;
  /** Appended to the names in every record. Empty by default. */
  readonly marker?: string;
  /** Included datasets, all by default. Verdicts and places belong to `geo`. */
  readonly datasets?: readonly Dataset[];
  /** Files to leave out, such as `download/isp.mmdb`. */
  readonly without?: readonly string[];
  /** Without routes: the publisher of all ASes of addresses. There are then no routes, networks and peering index. */
  readonly observer?: NonNullable<AsnRecord['as_source']>;
  /** Number of made-up cities added to geo.mmdb, about 150 bytes each. */
  readonly ballast?: number;
  /** Number of made-up cities added to download/geo.mmdb. */
  readonly downloadBallast?: number;
  /** Whether downloads have editions, true by default. */
  readonly editions?: boolean;
  /** Number of releases to keep, 7 by default. */
  readonly keep?: number;
}

/** Writes and publishes a small complete release. Returns its id. */
export async function publishSmallRelease(
  outputDir: string,
  options: SmallReleaseOptions = {},
): Promise<string> {
  const { buildEpoch = SMALL_BUILD_EPOCH, keep = 7 } = options;
  await mkdir(releasesDir(outputDir), { recursive: true });
  const workDir = await mkdtemp(join(releasesDir(outputDir), UNFINISHED));
  const written = await writeFiles(workDir, options);
  const buildKey = sha256Text(JSON.stringify([options, written.files.map(({ sha256 }) => sha256)]));
  const manifest: Manifest = {
    schema: 1,
    id: releaseId(buildEpoch, buildKey),
    buildEpoch,
    generator: 'ipatlas test',
    source: 'fixtures',
    buildKey,
    inputs: [exampleInput('own', 1), exampleInput('dbip', 1)],
    ...written,
    gates: [],
  };
  const whole = options.editions === false ? manifest : await addEditions(manifest, workDir);
  const { id } = await publishRelease({ outputDir, manifest: whole, workDir, keep });
  return id;
}

/** The description of a file. */
interface Description {
  readonly name: string;
  readonly kind: ManifestFile['kind'];
  readonly databaseType: string;
  readonly schema: Schema;
  readonly languages: readonly string[];
  readonly ipVersion?: 4 | 6;
}

async function writeFiles(
  workDir: string,
  options: SmallReleaseOptions,
): Promise<Pick<Manifest, 'files' | 'indexes'>> {
  const { buildEpoch = SMALL_BUILD_EPOCH, datasets = ['geo', 'routing', 'isp'], observer } = options;
  const without = [...(options.without ?? []), ...(observer ? WITH_ROUTES : [])];
  const records = smallRecords(options.marker);
  const files: ManifestFile[] = [];
  for (const [dataset, description, rows] of contents(records, options)) {
    const { name } = description;
    if (!datasets.includes(dataset) || without.includes(name)) continue;
    await mkdir(dirname(join(workDir, name)), { recursive: true });
    files.push(writeDataset(join(workDir, name), { description, rows, buildEpoch }));
  }
  if (!datasets.includes('routing') || without.includes('peering.json')) return { files };
  const text = encodePeeringIndex(records.peering);
  await writeFile(join(workDir, 'peering.json'), text);
  return { files, indexes: [describeIndex('peering.json', text)] };
}

/** The files of a release with a routing table. */
const WITH_ROUTES = ['routes.mmdb', 'networks.mmdb', 'peering.json'];

function contents(
  records: SmallRecords,
  { ballast = 0, downloadBallast = 0, observer }: SmallReleaseOptions,
): (readonly [Dataset, Description, Rows<object>])[] {
  const places: Rows<object> = [...records.places, ...madeUpCities(ballast)];
  const downloaded: Rows<object> = [...records.places, ...madeUpCities(downloadBallast)];
  const announcers: Rows<object> = observer
    ? records.announcers.map(([prefix, record]) => [prefix, { ...record, as_source: observer }])
    : records.announcers;
  const networks: Rows<object> = records.networks.map((record) => [`${formatIpv4(record.asn)}/32`, record]);
  return [
    ['geo', geo('geo.mmdb', 'served'), places],
    ['geo', geo('download/geo.mmdb', 'download'), downloaded],
    ...[...records.verdicts].map(
      ([feed, rows]) => ['geo', { ...VERDICTS, ...verdictsOf(feed) }, rows] as const,
    ),
    ['routing', { ...ASN, name: 'asn.mmdb', kind: 'served' }, announcers],
    ['routing', { ...ASN, name: 'download/asn.mmdb', kind: 'download' }, announcers],
    ['routing', { ...ROUTES, name: 'routes.mmdb', kind: 'served' }, records.routes],
    ['routing', { ...NETWORKS, name: 'networks.mmdb', kind: 'served' }, networks],
    ['isp', { ...ISP, name: 'isp.mmdb', kind: 'served' }, records.isp],
    ['isp', { ...ISP, name: 'download/isp.mmdb', kind: 'download' }, records.isp],
  ];
}

function geo(name: string, kind: ManifestFile['kind']): Description {
  return { name, kind, databaseType: 'ipatlas-City', schema: CITY_SCHEMA, languages: CITY_LANGUAGES };
}

function verdictsOf(feed: string): Pick<Description, 'name' | 'kind' | 'databaseType'> {
  return { name: `sources/${feed}.mmdb`, kind: 'verdicts', databaseType: `ipatlas-Verdicts-${feed}` };
}

const VERDICTS = { schema: VERDICT_SCHEMA, languages: VERDICT_LANGUAGES } as const;
const ASN = {
  databaseType: 'ipatlas-ASN (compat=GeoLite2-ASN)',
  schema: ASN_SCHEMA,
  languages: ['en'],
} as const;
const ROUTES = { databaseType: 'ipatlas-Routes', schema: ROUTES_SCHEMA, languages: ['en'] } as const;
const NETWORKS = {
  databaseType: 'ipatlas-Networks',
  schema: NETWORK_SCHEMA,
  languages: ['en'],
  ipVersion: 4,
} as const;
const ISP = { databaseType: ISP_DATABASE_TYPE, schema: ISP_SCHEMA, languages: ISP_LANGUAGES } as const;

/** Returns a record per /24, from 11.0.0.0 on. */
function madeUpCities(count: number): Rows<object> {
  return Array.from({ length: count }, (_, i) => [
    `${11 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.0/24`,
    {
      city: { geoname_id: 5_000_000 + i, names: { en: `City number ${i}`, 'zh-CN': `第 ${i} 个城市` } },
      country: { iso_code: 'US', names: { en: `Country number ${i}` } },
      location: { latitude: i / 1000, longitude: -i / 1000 },
    },
  ]);
}

function writeDataset(
  path: string,
  content: { readonly description: Description; readonly rows: Rows<object>; readonly buildEpoch: number },
): ManifestFile {
  const { description, rows, buildEpoch } = content;
  const { schema, ipVersion = 6, ...about } = description;
  const table = new PrefixTable();
  rows.forEach(([text], id) => {
    const prefix = parsePrefix(text)!;
    table.insert(prefix.address, prefix.length, id);
  });
  const written = writeMmdb(path, {
    table: table.flatten(),
    records: rows.map(([, record]) => record),
    schema,
    databaseType: about.databaseType,
    description: { en: 'ipatlas test' },
    languages: about.languages,
    ipVersion,
    buildEpoch,
  });
  return {
    ...about,
    ...(about.kind === 'download' ? DOWNLOADED : SERVED),
    ...written,
    languages: [...about.languages],
    ipVersion,
    buildEpoch,
    coverage: spaceOf(rows.length),
    coverageByFeed: {},
    coverageByCountry: {},
    ...(about.databaseType === 'ipatlas-City' && {
      coverageByLevel: { city: spaceOf(3), region: spaceOf(2), country: spaceOf(1) },
    }),
  };
}

function spaceOf(networks: number): ManifestFile['coverage'] {
  return { networks, ipv4Addresses: networks * 256, ipv6Slash64s: 0 };
}

function describeIndex(name: string, text: string): ManifestIndex {
  return {
    name,
    kind: 'index',
    ...NO_SOURCES,
    sizeBytes: Buffer.byteLength(text),
    sha256: sha256Text(text),
  };
}

/** Files for download have fewer sources than those that the API answers from. */
const DOWNLOADED = {
  sources: ['own'],
  terms: 'free',
  attributions: ['IP data by example.com'],
} satisfies Partial<ManifestFile>;
const SERVED = {
  sources: ['own', 'dbip'],
  terms: 'closed',
  attributions: [],
} satisfies Partial<ManifestFile>;

/** No third-party data. */
const NO_SOURCES = { sources: [], terms: 'free', attributions: [] } satisfies Partial<ManifestFile>;
