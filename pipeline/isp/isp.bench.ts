import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  peakMb,
  printJson,
  runPart,
  timed,
  type BenchBar,
  type BenchReport,
  type BenchRow,
} from '../bench/bench-report.js';
import type { ListClaim } from '../lists/list-claim.js';
import { writeMmdb } from '../mmdb/write.js';
import { newAddress } from '../net/address.js';
import { addressOf, exampleNetworks, pseudoRandom, type NetworkColumns } from '../table/networks.fixture.js';
import { PrefixTable } from '../table/prefix-table.js';
import type { FlatTable } from '../table/flat-table.js';
import { evidenceDataset } from './evidence-dataset.js';
import { FeedNameTable } from './feed-isp-names.js';
import { ispDataset, type MmdbDataset } from './isp-dataset.js';
import type { IspInputs, IspTable, ListInput, OriginTable } from './isp-inputs.js';
import { ListingTable } from './listings.js';

/** From tables of lists, origins and ISPs to files: seconds per step, and peak memory. */
const FILE = fileURLToPath(import.meta.url);
const NETWORKS = 1_000_000;
const QUICK_NETWORKS = 50_000;
/** Upper bar for building the dataset, in multiples of writing `isp.mmdb`, which has a bar of its own. */
const TIMES_WRITING = 1.5;

const AS_NUMBERS = 60_000;
const PROXY_LISTS = ['ip2proxy', 'open-proxies', 'tor', 'nordvpn', 'ipsum'] as const;
const CLOUDS = ['aws', 'gcp', 'azure', 'oracle', 'cloudflare'] as const;
/** Number of small lists; each is one more table to walk. */
const SMALL_LISTS = 15;
const TODAY = 20_000;

type Figures = BenchRow['figures'];

/** Runs every step from tables to files; returns a row for each. */
function compile(networks: number): BenchRow[] {
  const rows: BenchRow[] = [];
  const step = <T>(subject: string, run: () => T, count: (result: T) => Figures): T => {
    const before = process.cpuUsage();
    const { result, seconds } = timed(run);
    const { user, system } = process.cpuUsage(before);
    const cpuSeconds = (user + system) / 1e6;
    rows.push({ subject, figures: { seconds, cpuSeconds, peakMb: peakMb(), ...count(result) } });
    return result;
  };
  const inputs = step(
    'make tables',
    () => exampleInputs(networks),
    ({ lists, origins, feeds }) => ({
      networks: networksOf([...lists, ...feeds, ...(origins ? [origins] : [])]),
    }),
  );
  step(
    'join lists',
    () => new ListingTable(inputs.lists),
    ({ table }) => ({ networks: table.networkCount() }),
  );
  step(
    'join ISPs',
    () => new FeedNameTable(inputs.feeds),
    ({ table }) => ({ networks: table.networkCount() }),
  );
  const all = step('ispDataset', () => ispDataset(inputs), figuresOf);
  write('isp.mmdb', all, step);
  const evidence = step('evidenceDataset', () => evidenceDataset(inputs), figuresOf);
  write('evidence.mmdb', evidence, step);
  return rows;
}

function figuresOf({ table, records, counters }: MmdbDataset): Figures {
  const decisions = counters['isp.decisions'];
  return {
    networks: table.networkCount(),
    records: records.length,
    ...(decisions !== undefined && { decisions }),
  };
}

function networksOf(tables: readonly { readonly table: FlatTable }[]): number {
  return tables.reduce((sum, { table }) => sum + table.networkCount(), 0);
}

function write(
  name: string,
  { counters: _, ...dataset }: MmdbDataset,
  step: <T>(subject: string, run: () => T, count: (result: T) => Figures) => T,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  try {
    const content = { ...dataset, buildEpoch: 1, ipVersion: 6 } as const;
    step(
      `write ${name}`,
      () => writeMmdb(join(folder, name), content),
      ({ sizeBytes, records }) => ({ records, megabytes: sizeBytes / 1e6 }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes inputs with as many single addresses in five lists as networks of origins and of each feed. */
function exampleInputs(count: number): IspInputs {
  const networks = exampleNetworks(count, AS_NUMBERS);
  const random = pseudoRandom(11);
  return {
    lists: [
      ...PROXY_LISTS.map((id) => proxyList(id, count / PROXY_LISTS.length, networks, random)),
      ...CLOUDS.map((id) => cloudList(id, count / 10 / CLOUDS.length, networks, random)),
      ...Array.from({ length: SMALL_LISTS }, (_, i) => cloudList(`small-${i}`, 50, networks, random)),
    ],
    origins: exampleOrigins(networks),
    networkTypes: new Map(),
    feeds: [exampleIsps('ip2region', networks, 200), exampleIsps('ipinfo', networks, AS_NUMBERS)],
  };
}

type Random = (bound: number) => number;

/**
 * Makes a list of single addresses in the space of the networks. Half of them are adjacent to another one, and some
 * networks have more than others. The ISP depends on the AS, the other fields do not.
 */
function proxyList(id: string, count: number, networks: NetworkColumns, random: Random): ListInput {
  const table = new PrefixTable();
  const claims: ListClaim[] = Array.from({ length: ISPS * VARIANTS }, (_, i) => ({
    type: ['RES', 'PUB', 'VPN', 'DCH'][i % 4]!,
    isp: `ISP ${Math.floor(i / VARIANTS)}`,
    lastSeen: TODAY - 1 - (i % VARIANTS),
    fraudScore: i % VARIANTS,
  }));
  const address = newAddress();
  let asn = 0;
  for (let i = 0; i < count; i++) {
    if (i % 2 === 0) {
      const network = random(1 + random(Math.round(networks.count * 0.66)));
      asn = networks.recordIds[network]!;
      address.set(addressOf(networks, network));
      address[3] = address[3]! + random(2 ** (128 - networks.lengths[network]!));
    } else address[3] = address[3]! ^ 1;
    table.insert(address, 128, (asn % ISPS) * VARIANTS + random(VARIANTS));
  }
  return listOf(id, table, claims);
}

/** Number of ISPs that lists name, and of combinations of day, type and score per ISP. */
const ISPS = 3000;
const VARIANTS = 30;

function cloudList(id: string, count: number, networks: NetworkColumns, random: Random): ListInput {
  const table = new PrefixTable();
  const claims: ListClaim[] = Array.from({ length: 200 }, (_, i) => ({
    cloud: id,
    service: `service ${i % 10}`,
    region: `region ${i % 20}`,
  }));
  for (let i = 0; i < count; i++) {
    const network = random(networks.count);
    table.insert(addressOf(networks, network), networks.lengths[network]!, random(claims.length));
  }
  return listOf(id, table, claims);
}

function listOf(id: string, table: PrefixTable, claims: readonly ListClaim[]): ListInput {
  const days = { day: TODAY - 1, today: TODAY, maxAgeDays: 60 };
  return { id, table: table.flatten(), claims, asns: new Map(), ...days };
}

function exampleOrigins(networks: NetworkColumns): OriginTable {
  const records = Array.from({ length: AS_NUMBERS }, (_, i) => ({
    asn: i + 1,
    name: `AS-NAME-${i}`,
    organisation: `Organisation ${i} Ltd.`,
    domain: `as${i}.example`,
  }));
  return { table: tableOf(networks, (record) => record), records };
}

/** Makes a feed with a record per network and `names` different ISPs; the networks of one AS have the same ISP. */
function exampleIsps(feed: string, networks: NetworkColumns, names: number): IspTable {
  const isps = Array.from(networks.recordIds, (asn) =>
    feed === 'ip2region' ? `运营商${asn % names}` : `Company ${asn % names}`,
  );
  return { feed, table: tableOf(networks, (_, i) => i), isps };
}

function tableOf(networks: NetworkColumns, idOf: (record: number, i: number) => number): FlatTable {
  const table = new PrefixTable();
  for (let i = 0; i < networks.count; i++) {
    table.insert(addressOf(networks, i), networks.lengths[i]!, idOf(networks.recordIds[i]!, i));
  }
  return table.flatten();
}

function bench(networks: number): BenchReport {
  const rows = runPart(FILE, ['compile', networks]) as BenchRow[];
  const merge = rows.find(({ subject }) => subject === 'ispDataset')!.figures;
  const writing = rows.find(({ subject }) => subject === 'write isp.mmdb')!.figures;
  const { seconds, networks: merged } = merge;
  const million = (count: number): string => `${(count / 1e6).toFixed(1)} M`;
  return {
    bench: 'isp',
    notes: [
      `${million(networks)} single addresses in ${PROXY_LISTS.length} lists, ${million(networks / 10)} prefixes of clouds, ${SMALL_LISTS} small lists;`,
      `origins and two feeds of ISPs of ${million(networks)} networks each; ${Math.round(merged! / seconds! / 1e3)} k networks/s merged`,
      'ispDataset includes joining lists and ISPs; peakMb is the peak of the process so far, with tables',
    ],
    rows,
    bars: networks === NETWORKS ? [barOf(merge['cpuSeconds']! / writing['cpuSeconds']!)] : [],
  };
}

/** The bar applies to a full run: a short one has as many claims and names for fewer networks. */
function barOf(timesWriting: number): BenchBar {
  return {
    what: 'ispDataset beside writing isp.mmdb, CPU of a core, of the garbage collector too',
    bar: `at most ${TIMES_WRITING} x`,
    measured: `${timesWriting.toFixed(2)} x`,
    isMet: timesWriting <= TIMES_WRITING,
  };
}

const [part, count] = process.argv.slice(2);
if (part === 'compile') printJson(compile(Number(count)));
else printJson(bench(process.argv.includes('--quick') ? QUICK_NETWORKS : NETWORKS));
