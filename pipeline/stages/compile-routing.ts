import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WRITER_VERSION } from '../mmdb/write.js';
import type { ManifestIndex, ManifestInput } from '../release/contract.js';
import { termsOfFile } from '../release/dataset-terms.js';
import { sha256Text } from '../release/digest.js';
import { asnDataset } from '../routing/asn-records.js';
import { networkDirectory } from '../routing/network-directory.js';
import { networksDataset } from '../routing/network-records.js';
import { ROUTING_VERSION, type RoutingDataset, type RoutingParts } from '../routing/parts.js';
import { encodePeeringIndex, peeringIndex } from '../routing/peering-index.js';
import { routesDataset } from '../routing/route-records.js';
import { keyOfDataset, type CompiledDataset, type DatasetPlan } from './dataset-plan.js';
import { ingestResultSchema, type IngestResult } from './ingest.js';
import { findRoutingFacts, type KeptSources } from './routing-facts.js';
import type { StageContext } from './stage.js';
import { writeDataset, type CompiledFile, type DatasetDescription, type Draft } from './write-dataset.js';

/** Plans the routing datasets: routes, networks, ASNs and the peering index. Without a RIB there are none. */
export function planRouting(context: StageContext): DatasetPlan {
  const { settings, children } = context;
  const ingests = settings.sources.map((source) => ingestResultSchema.parse(children[`ingest:${source}`]));
  const inputs = ingests
    .map(({ input }) => input)
    .filter(({ files, refusals }) => files.length + refusals.length > 0);
  const versions = [`writer ${WRITER_VERSION}`, `routing ${ROUTING_VERSION}`];
  return {
    key: keyOfDataset(versions, ingests, settings),
    inputs,
    compile: (draft) => compileRouting({ ingests, inputs }, draft, context),
  };
}

interface Ingredients {
  readonly ingests: readonly IngestResult[];
  /** Of what was there. */
  readonly inputs: readonly ManifestInput[];
}

async function compileRouting(
  { ingests, inputs }: Ingredients,
  draft: Draft,
  { settings, progress, log }: StageContext,
): Promise<CompiledDataset> {
  const kept: KeptSources = Object.fromEntries(ingests.map(({ input, kept }) => [input.feed, kept?.dir]));
  const rib = kept['rib'];
  if (rib === undefined) {
    log('no routing table (RIB): no routing datasets');
    return { files: [], indexes: [], counters: {}, inputs };
  }
  const tell = (text: string): void => {
    progress({ text });
  };
  const { parts, counters } = findRoutingFacts(rib, kept, tell);
  const used = inputs.filter(({ files }) => files.length > 0);
  const files: CompiledFile[] = [];
  for (const plan of planFiles(parts, used, settings.datasetFeeds)) {
    tell(`writing ${plan.name}`);
    files.push(await writeFileOf(plan, draft));
  }
  const indexes = parts.peeringDb ? [await writeIndex(parts.peeringDb, used, draft)] : [];
  tell(`${files.length + indexes.length} files`);
  return { files, indexes, counters, inputs };
}

interface FilePlan extends Pick<DatasetDescription, 'name' | 'kind' | 'sources'> {
  readonly ipVersion?: 4 | 6;
  /** Made when it is written: one at a time. */
  readonly make: () => RoutingDataset;
}

/** `asn.mmdb` twice: what others download names no domains, unless PeeringDB's may be handed on. */
function planFiles(
  parts: RoutingParts,
  inputs: readonly ManifestInput[],
  datasetFeeds: readonly string[],
): FilePlan[] {
  const directory = networkDirectory(parts);
  const sourcesOf = (ids: readonly string[]): FilePlan['sources'] =>
    inputs.filter(({ feed }) => ids.includes(feed)).map(({ feed, licence }) => ({ id: feed, licence }));
  const asn = (withDomains: boolean) => ({
    sources: sourcesOf([...ASN_SOURCES, ...(withDomains ? ['peeringdb'] : [])]),
    make: () => asnDataset(parts, directory, { withDomains }),
  });
  const all = sourcesOf(inputs.map(({ feed }) => feed));
  return [
    { name: 'asn.mmdb', kind: 'served', ...asn(true) },
    { name: 'download/asn.mmdb', kind: 'download', ...asn(datasetFeeds.includes('peeringdb')) },
    { name: 'routes.mmdb', kind: 'served', sources: all, make: () => routesDataset(parts, directory) },
    {
      name: 'networks.mmdb',
      kind: 'served',
      ipVersion: 4,
      sources: all,
      make: () => networksDataset(parts, directory),
    },
  ];
}

const ASN_SOURCES = ['rib', 'delegated', 'iana', 'asnames'];

function writeFileOf({ make, ...about }: FilePlan, draft: Draft): Promise<CompiledFile> {
  const { table, records, schema, databaseType, description } = make();
  const described = { ...about, databaseType, description, languages: [], schema };
  return writeDataset(draft, described, { table, records });
}

async function writeIndex(
  peeringDb: NonNullable<RoutingParts['peeringDb']>,
  inputs: readonly ManifestInput[],
  { workDir }: Draft,
): Promise<ManifestIndex> {
  const name = 'peering.json';
  const text = encodePeeringIndex(peeringIndex(peeringDb));
  await writeFile(join(workDir, name), text, { flush: true });
  const sources = inputs.filter(({ feed }) => feed === 'peeringdb');
  const { terms, attributions } = termsOfFile(sources.map(({ feed, licence }) => ({ id: feed, licence })));
  return {
    name,
    kind: 'index',
    sources: sources.map(({ feed }) => feed),
    terms,
    attributions: [...attributions],
    sizeBytes: Buffer.byteLength(text),
    sha256: sha256Text(text),
  };
}
