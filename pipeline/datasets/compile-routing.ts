import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RIB } from '../bgp/rib-source.js';
import { WRITER_VERSION } from '../mmdb/write.js';
import type { ManifestFile, ManifestIndex, ManifestInput } from '../release/contract.js';
import { OBSERVING_IDS, OBSERVING_SOURCES } from '../registry/observing-sources.js';
import { RPKI } from '../registry/rpki.js';
import { termsOfFile, type LicensedSource } from '../release/dataset-terms.js';
import { sha256Text } from '../release/digest.js';
import { asnDataset } from '../routing/asn-records.js';
import { networkDirectory } from '../routing/network-directory.js';
import { networksDataset } from '../routing/network-records.js';
import type { RoutingDataset, RoutingParts } from '../routing/parts.js';
import { encodePeeringIndex, peeringIndex } from '../routing/peering-index.js';
import { noRoutes } from '../routing/route-table-builder.js';
import { routesDataset } from '../routing/route-records.js';
import { countAddresses } from './announced-addresses.js';
import { keyOfDataset, type CompiledDataset, type DatasetPlan } from './dataset-plan.js';
import { ingestResultSchema, type IngestResult } from '../ingest/ingest-source.js';
import { locateIngests, type LocatedIngest } from './located.js';
import { loadRouting, type LoadingStep } from './load-routing.js';
import type { StageContext } from '../stage/stage.js';
import { stepsOf } from '../stage/steps.js';
import { writeDataset, type CompiledFile, type Draft } from './write-dataset.js';

/** Raised with every change of the routing datasets for equal sources. */
const ROUTING_VERSION = 5;

/**
 * Plans `asn.mmdb`, `routes.mmdb`, `networks.mmdb` and `peering.json` from all sources, for the API; and
 * `download/asn.mmdb` from the sources whose licences permit redistribution. Without a routing table there is only
 * `asn.mmdb`, with observed ASes; without these neither.
 */
export function planRouting(context: StageContext): DatasetPlan {
  const { settings, children } = context;
  const ingests = settings.sources.map((source) => ingestResultSchema.parse(children[`ingest:${source}`]));
  return {
    key: keyOfDataset([`writer ${WRITER_VERSION}`, `routing ${ROUTING_VERSION}`], ingests, settings),
    inputs: inputsOf(ingests),
    compile: (draft) => compileRouting(ingests, { draft, context }),
  };
}

/** Returns the inputs of the sources with used or refused files. */
function inputsOf(ingests: readonly IngestResult[]): ManifestInput[] {
  const inputs = ingests.map(({ input }) => input);
  return inputs.filter(({ files, refusals }) => files.length + refusals.length > 0);
}

type RoutingFile = 'asn.mmdb' | 'download/asn.mmdb' | 'routes.mmdb' | 'networks.mmdb';

/** The steps of the job, with their times in seconds for three collectors. */
const STEPS: Readonly<Record<LoadingStep | RoutingFile, number>> = {
  sources: 1,
  rib: 2,
  relationships: 8,
  summaries: 8,
  'asn.mmdb': 4,
  'download/asn.mmdb': 4,
  'routes.mmdb': 8,
  'networks.mmdb': 4,
};

async function compileRouting(ingests: readonly IngestResult[], writing: Writing): Promise<CompiledDataset> {
  const { log, progress } = writing.context;
  const inputs = inputsOf(ingests);
  const kept = new Map((await locateIngests(ingests, writing.context)).flatMap(keptOf));
  const hasTable = kept.has(RIB.id);
  if (!hasTable && !OBSERVING_IDS.some((id) => kept.has(id))) {
    log('no routing datasets: no RIB dump of any collector');
    return { files: [], indexes: [], counters: {}, inputs };
  }
  if (!hasTable) log('only asn.mmdb, with observed ASes: no RIB dump of any collector');
  const steps = stepsOf(writing.context, STEPS);
  const { parts, counters } = loadRouting(kept, (step, text) => {
    // Sources are loaded before and after the table.
    if (step !== 'sources' || !hasTable) steps.start(step, text);
  });
  const sources = inputs.filter(({ feed }) => kept.has(feed)).map(licensed);
  const asn = await writeAsn({ parts, sources }, writing);
  const routed = hasTable ? await writeRouting({ parts, sources }, writing) : { files: [], indexes: [] };
  const files = [...asn.files, ...routed.files];
  progress({ share: 1, text: `${files.length + routed.indexes.length} files` });
  return { files, indexes: routed.indexes, counters: { ...counters, ...asn.counters }, inputs };
}

function keptOf({ input, kept }: LocatedIngest): (readonly [source: string, dir: string])[] {
  return kept ? [[input.feed, kept.dir]] : [];
}

/** Where files are written and progress is reported. */
interface Writing {
  readonly draft: Draft;
  readonly context: StageContext;
}

/** Data for files, and the sources to name in their terms. */
interface Edition {
  readonly parts: RoutingParts;
  readonly sources: readonly LicensedSource[];
}

/** Writes `asn.mmdb` and its edition for download, and counts the addresses of `asn.mmdb` by source. */
async function writeAsn(
  { parts, sources }: Edition,
  writing: Writing,
): Promise<Pick<CompiledDataset, 'files' | 'counters'>> {
  const from = sources.filter(({ id }) => id !== RPKI.id);
  const dataset = asnDataset(parts, networkDirectory(parts));
  const files = [await write('asn.mmdb', 'served', { dataset, from }, writing)];
  const open = openEdition({ parts, sources: from }, writing.context);
  if (open) {
    const download = asnDataset(open.parts, networkDirectory(open.parts));
    files.push(
      await write('download/asn.mmdb', 'download', { dataset: download, from: open.sources }, writing),
    );
  }
  return { files, counters: countAddresses(dataset) };
}

/** Writes the files that need a routing table. */
async function writeRouting(
  { parts, sources }: Edition,
  writing: Writing,
): Promise<Pick<CompiledDataset, 'files' | 'indexes'>> {
  const directory = networkDirectory(parts);
  const ofAsns = sources.filter(({ id }) => id !== RPKI.id);
  const [routes, networks] = [routesDataset(parts, directory), networksDataset(parts, directory)];
  const files = [
    await write('routes.mmdb', 'served', { dataset: routes, from: sources }, writing),
    await write('networks.mmdb', 'served', { dataset: networks, from: ofAsns }, writing),
  ];
  const { peeringDb } = parts;
  const peering = peeringDb && encodePeeringIndex(peeringIndex(peeringDb));
  const indexes =
    peering === undefined ? [] : [await writeIndex('peering.json', peering, sources, writing.draft)];
  return { files, indexes };
}

function write(
  name: RoutingFile,
  kind: ManifestFile['kind'],
  { dataset, from }: { readonly dataset: Dataset; readonly from: readonly LicensedSource[] },
  { draft, context }: Writing,
): Promise<CompiledFile> {
  stepsOf(context, STEPS).start(name, `writing ${name}`);
  const { table, records, schema, databaseType, description, ipVersion } = dataset;
  const about = { name, kind, languages: ['en'], sources: from, schema, databaseType, description };
  return writeDataset(draft, { ...about, ...(ipVersion && { ipVersion }) }, { table, records });
}

type Dataset = RoutingDataset & { readonly ipVersion?: 4 };

function licensed({ feed, licence }: ManifestInput): LicensedSource {
  return { id: feed, licence };
}

/** Returns the parts of `asn.mmdb` that may be downloaded; undefined if none of them says which AS an address has. */
function openEdition(
  { parts, sources: all }: Edition,
  { settings, log }: Pick<StageContext, 'settings' | 'log'>,
): Edition | undefined {
  const sources = all.filter(({ id }) => settings.datasetFeeds.includes(id));
  const isOpen = (id: string): boolean => sources.some((source) => source.id === id);
  if (![RIB.id, ...OBSERVING_IDS].some(isOpen)) {
    log('no download/asn.mmdb: neither a routing table nor observed ASes are in DATASET_FEEDS');
    return undefined;
  }
  const open: RoutingParts = {
    ...parts,
    routes: isOpen(RIB.id) ? parts.routes : noRoutes(),
    delegations: isOpen('delegated') ? parts.delegations : undefined,
    asNames: isOpen('asnames') ? parts.asNames : undefined,
    peeringDb: isOpen('peeringdb') ? parts.peeringDb : undefined,
    observed: parts.observed.filter(({ observer }) => isOpen(OBSERVING_SOURCES[observer].id)),
  };
  return { parts: open, sources };
}

async function writeIndex(
  name: string,
  text: string,
  sources: readonly LicensedSource[],
  { workDir }: Draft,
): Promise<ManifestIndex> {
  await writeFile(join(workDir, name), text, { flush: true });
  const from = sources.filter(({ id }) => id === 'peeringdb');
  const { terms, attributions } = termsOfFile(from);
  return {
    name,
    kind: 'index',
    sources: from.map(({ id }) => id),
    terms,
    attributions: [...attributions],
    sizeBytes: Buffer.byteLength(text),
    sha256: sha256Text(text),
  };
}
