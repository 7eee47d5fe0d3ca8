import { fileURLToPath } from 'node:url';
import { mkdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTE_SERVER_ASN } from '../../fixtures/generate/routing/as-numbers.js';
import { keptWorld } from '../../fixtures/generate/routing/kept-world.js';
import { scoreLabels } from '../../fixtures/generate/routing/label-score.js';
import { readDumps } from '../../fixtures/generate/routing/read-world.js';
import { inventRouting, type RoutingOptions } from '../../fixtures/generate/routing/routing-world.js';
import { Relations } from '../../fixtures/generate/routing/truth.js';
import { peakMb, printJson, runPart, timed, type BenchReport, type BenchRow } from '../bench/bench-report.js';
import { inferTopology } from './infer-topology.js';
import { loadRib, saveRib } from './rib.js';

/**
 * Measures time, memory and accuracy of inferring the relationships of all ASes on a known graph, from the smallest set
 * of prefixes that covers all paths.
 */
const FILE = fileURLToPath(import.meta.url);

const FULL: RoutingOptions = {
  seed: 1,
  ases: 85_000,
  ipv4: 250_000,
  ipv6: 60_000,
  collectors: 2,
  fullFeeds: 40,
  partialFeeds: 6,
  vrps: 0,
  packing: 'gz',
};
const QUICK: RoutingOptions = { ...FULL, ases: 5000, ipv4: 15_000, ipv6: 4000 };

async function bench(options: RoutingOptions): Promise<BenchReport> {
  const dir = await keptWorld(`relationships-${options.ases}`, options);
  if (!existsSync(join(dir, 'columns'))) runPart(FILE, ['read', dir]);
  const many = runPart(FILE, ['infer', dir, options.ases]) as BenchRow['figures'];
  return {
    bench: 'bgp/relationships',
    notes: [
      `${options.ases.toLocaleString('en')} ASes seen from ${options.fullFeeds} full feeds, both families`,
      'precision and recall on the observed links of the known graph; inputMb: peak memory before the clock starts',
    ],
    rows: [{ subject: 'inferTopology', figures: many }],
    bars: [],
  };
}

async function read(dir: string): Promise<void> {
  const rib = await readDumps(dir);
  mkdirSync(join(dir, 'columns'));
  saveRib(join(dir, 'columns'), rib);
}

function infer(dir: string, options: RoutingOptions): BenchRow['figures'] {
  const rib = loadRib(join(dir, 'columns'));
  const inputMb = peakMb();
  const routeServers = new Set([ROUTE_SERVER_ASN]);
  const { result, seconds } = timed(() => inferTopology(rib, { routeServers }));
  const peak = peakMb();
  const { provider, peer } = scoreLabels(result.links, new Relations(inventRouting(options).graph));
  return {
    paths: rib.paths.flags.length,
    links: result.links.left.length,
    seconds,
    inputMb,
    peakMb: peak,
    providerPrecision: provider.precision,
    providerRecall: provider.recall,
    peerPrecision: peer.precision,
    peerRecall: peer.recall,
  };
}

const [part, dir = '', ases] = process.argv.slice(2);
if (part === 'read') {
  await read(dir);
  printJson('read');
} else if (part === 'infer') printJson(infer(dir, Number(ases) === FULL.ases ? FULL : QUICK));
else printJson(await bench(process.argv.includes('--quick') ? QUICK : FULL));
