import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROUTE_SERVER_ASN } from '../../fixtures/generate/routing/as-numbers.js';
import { keptDump } from '../../fixtures/generate/routing/kept-world.js';
import { readDumps } from '../../fixtures/generate/routing/read-world.js';
import { openFileAt, PROJECT_ROOT } from '../../fixtures/open-file.js';
import { peakMb, printJson, runPart, timed, type BenchReport, type BenchRow } from '../bench/bench-report.js';
import { inferTopology } from '../bgp/infer-topology.js';
import { loadRib, saveRib } from '../bgp/rib.js';
import { LINK_COLUMNS } from '../bgp/topology.js';
import { matchesName } from '../input/name-pattern.js';
import type { RoutingSource } from '../input/routing-source.js';
import { Tally } from '../input/tally.js';
import { writeMmdb } from '../mmdb/write.js';
import { parseSpecialPurposeRegistry } from '../net/special-purpose.js';
import { AS_NAMES, loadAsNames } from '../registry/as-names.js';
import { DELEGATED, loadDelegations } from '../registry/delegations.js';
import { loadPeeringDb, PEERINGDB } from '../registry/peeringdb.js';
import { loadVrps, RPKI } from '../registry/rpki.js';
import { readColumns, writeColumns } from '../table/column-file.js';
import { reservedSpace } from '../table/reserved-space.js';
import { networkDirectory } from './network-directory.js';
import { routesDataset } from './route-records.js';
import { summariseRoutes } from './summarise-routes.js';

/** Measures the compilation of routes and their file from columns: the time of each step and the peak memory. */
const FILE = fileURLToPath(import.meta.url);
const ENTRIES = 10_000_000;
const QUICK_ENTRIES = 200_000;

async function bench(entries: number): Promise<BenchReport> {
  const dir = await keptDump(entries);
  if (!existsSync(join(dir, LINKS))) runPart(FILE, ['prepare', dir]);
  const rows = runPart(FILE, ['compile', dir]) as BenchRow[];
  return {
    bench: 'routing/routes',
    notes: [
      `${entries.toLocaleString('en')} RIB entries and their registry data, from columns`,
      'peakMb: the process until then, columns included',
    ],
    rows,
    bars: [],
  };
}

const SOURCES: readonly RoutingSource[] = [DELEGATED, AS_NAMES, RPKI, PEERINGDB];
const LINKS = 'links.columns';

/** Reads all sources into columns beside the files; the links are written last. */
async function prepare(dir: string): Promise<void> {
  for (const source of SOURCES) {
    const files = source.files.flatMap(({ folder, name, container }) =>
      readdirSync(join(dir, folder))
        .filter((found) => matchesName(name, found))
        .map((found) => openFileAt(join(dir, folder, found), container)),
    );
    const tallies = new Map(files.map(({ id }) => [id, new Tally()]));
    const reading = {
      dir: emptyFolder(dir, source.id),
      tallyOf: ({ id }: { id: string }) => tallies.get(id)!,
    };
    await source.normalise(files, { ...reading, log: () => undefined });
  }
  const rib = await readDumps(dir);
  saveRib(emptyFolder(dir, 'rib'), rib);
  const { links } = inferTopology(rib, { routeServers: new Set([ROUTE_SERVER_ASN]) });
  writeColumns(join(dir, LINKS), LINK_COLUMNS, links);
}

function emptyFolder(dir: string, id: string): string {
  const folder = columnsOf(dir, id);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

function columnsOf(dir: string, id: string): string {
  return join(dir, 'columns', id);
}

/** Returns one row for every step from columns to the file. */
function compile(dir: string): BenchRow[] {
  const rows: BenchRow[] = [];
  const step = <T>(subject: string, run: () => T, count: (result: T) => BenchRow['figures']): T => {
    const { result, seconds } = timed(run);
    rows.push({ subject, figures: { seconds, peakMb: peakMb(), ...count(result) } });
    return result;
  };
  const loaded = step(
    'load columns',
    () => load(dir),
    ({ rib }) => ({ rows: rib.entries.peers.length }),
  );
  const { rib, vrps, ...parts } = loaded;
  const routeServers = new Set(parts.peeringDb.routeServers);
  const input = { rib, routeServers, vrps, reserved: reservedNetworks() };
  const { routes } = step(
    'summariseRoutes',
    () => summariseRoutes(input),
    (result) => ({ rows: result.routes.count }),
  );
  const of = { routes, ...parts, observed: [] };
  const dataset = step(
    'routesDataset',
    () => routesDataset(of, networkDirectory(of)),
    ({ records }) => ({
      rows: records.length,
    }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  try {
    const content = { ...dataset, buildEpoch: 1, ipVersion: 6, languages: [] } as const;
    step(
      'write routes.mmdb',
      () => writeMmdb(join(folder, 'routes.mmdb'), content),
      ({ sizeBytes, records }) => ({
        rows: records,
        megabytes: sizeBytes / 1e6,
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  return rows;
}

function load(dir: string) {
  return {
    rib: loadRib(columnsOf(dir, 'rib')),
    links: readColumns(join(dir, LINKS), LINK_COLUMNS),
    vrps: loadVrps(columnsOf(dir, RPKI.id)),
    delegations: loadDelegations(columnsOf(dir, DELEGATED.id)),
    asNames: loadAsNames(columnsOf(dir, AS_NAMES.id)),
    peeringDb: loadPeeringDb(columnsOf(dir, PEERINGDB.id)),
  };
}

function reservedNetworks(): ReturnType<typeof reservedSpace> {
  const folder = join(PROJECT_ROOT, 'fixtures/feeds/iana');
  return reservedSpace(
    (['ipv4', 'ipv6'] as const).flatMap((family) =>
      parseSpecialPurposeRegistry(readFileSync(join(folder, `iana-${family}-special-registry.xml`), 'utf8')),
    ),
  );
}

const [part, dir = ''] = process.argv.slice(2);
if (part === 'prepare') {
  await prepare(dir);
  printJson('prepared');
} else if (part === 'compile') printJson(compile(dir));
else printJson(await bench(process.argv.includes('--quick') ? QUICK_ENTRIES : ENTRIES));
