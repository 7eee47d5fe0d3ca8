import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WRITER_VERSION } from '../mmdb/write.js';
import type { ManifestFile, ManifestIndex, ManifestInput } from '../release/contract.js';
import { termsOfFile, type LicensedSource } from '../release/dataset-terms.js';
import { sha256Text } from '../release/digest.js';
import { asnDataset } from '../routing/asn-records.js';
import { networkDirectory } from '../routing/network-directory.js';
import { networksDataset } from '../routing/network-records.js';
import type { RoutingDataset, RoutingParts } from '../routing/parts.js';
import { encodePeeringIndex, peeringIndex } from '../routing/peering-index.js';
import { routesDataset } from '../routing/route-records.js';
import { keyOfDataset, type CompiledDataset, type DatasetPlan } from './dataset-plan.js';
import { ingestResultSchema, type IngestResult } from '../ingest/ingest-source.js';
import { loadRouting } from './load-routing.js';
import type { StageContext } from '../stage/stage.js';
import { writeDataset, type CompiledFile, type Draft } from './write-dataset.js';

/** Raised with every change of the routing datasets for equal sources. */
const ROUTING_VERSION = 3;

/**
 * Plans `asn.mmdb`, `routes.mmdb`, `networks.mmdb` and `peering.json` from all sources, for the API; and
 * `download/asn.mmdb` from the sources whose licences permit redistribution. Without a routing table there are no
 * files.
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

async function compileRouting(ingests: readonly IngestResult[], writing: Writing): Promise<CompiledDataset> {
  const { log, progress } = writing.context;
  const inputs = inputsOf(ingests);
  const kept = new Map(ingests.flatMap(keptOf));
  const rib = kept.get('rib');
  if (rib === undefined) {
    log('no routing datasets: no RIB dump of any collector');
    return { files: [], indexes: [], counters: {}, inputs };
  }
  const { parts, counters } = loadRouting(rib, kept, (text) => {
    progress({ text });
  });
  const used = inputs.filter(({ feed }) => kept.has(feed));
  return { ...(await writeRouting(parts, used, writing)), counters, inputs };
}

function keptOf({ input, kept }: IngestResult): (readonly [source: string, dir: string])[] {
  return kept ? [[input.feed, kept.dir]] : [];
}

/** Where files are written and progress is reported. */
interface Writing {
  readonly draft: Draft;
  readonly context: StageContext;
}

async function writeRouting(
  parts: RoutingParts,
  inputs: readonly ManifestInput[],
  { draft, context }: Writing,
): Promise<Pick<CompiledDataset, 'files' | 'indexes'>> {
  const directory = networkDirectory(parts);
  const sources = inputs.map(licensed);
  const files: CompiledFile[] = [];
  const write = async (
    name: string,
    kind: ManifestFile['kind'],
    { dataset, from }: { readonly dataset: Dataset; readonly from: readonly LicensedSource[] },
  ): Promise<void> => {
    context.progress({ text: `writing ${name}` });
    const { table, records, ...about } = dataset;
    const description = { name, kind, languages: ['en'], sources: from, ...about };
    files.push(await writeDataset(draft, description, { table, records }));
  };
  const ofAsns = sources.filter(({ id }) => id !== 'rpki');
  const asn = asnDataset(parts, directory, { withDomains: true });
  await write('asn.mmdb', 'served', { dataset: asn, from: ofAsns });
  const open = openEdition(parts, ofAsns, context);
  if (open) await write('download/asn.mmdb', 'download', open);
  await write('routes.mmdb', 'served', { dataset: routesDataset(parts, directory), from: sources });
  await write('networks.mmdb', 'served', { dataset: networksDataset(parts, directory), from: ofAsns });
  const { peeringDb } = parts;
  const peering = peeringDb && encodePeeringIndex(peeringIndex(peeringDb));
  const indexes = peering === undefined ? [] : [await writeIndex('peering.json', peering, sources, draft)];
  context.progress({ text: `${files.length + indexes.length} files` });
  return { files, indexes };
}

type Dataset = RoutingDataset & { readonly ipVersion?: 4 };

function licensed({ feed, licence }: ManifestInput): LicensedSource {
  return { id: feed, licence };
}

/** Returns `asn.mmdb` for download, or undefined if the licence of the routing table does not permit it. */
function openEdition(
  parts: RoutingParts,
  sources: readonly LicensedSource[],
  { settings, log }: StageContext,
): { readonly dataset: Dataset; readonly from: readonly LicensedSource[] } | undefined {
  const from = sources.filter(({ id }) => settings.datasetFeeds.includes(id));
  const isOpen = (id: string): boolean => from.some((source) => source.id === id);
  if (!isOpen('rib')) {
    log('no download/asn.mmdb: the routing table is not in DATASET_FEEDS');
    return undefined;
  }
  const open: RoutingParts = {
    ...parts,
    delegations: isOpen('delegated') ? parts.delegations : undefined,
    asNames: isOpen('asnames') ? parts.asNames : undefined,
    peeringDb: isOpen('peeringdb') ? parts.peeringDb : undefined,
  };
  const dataset = asnDataset(open, networkDirectory(open), { withDomains: isOpen('peeringdb') });
  return { dataset, from };
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
