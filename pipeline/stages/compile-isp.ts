import { RIB } from '../bgp/rib-source.js';
import { WRITER_VERSION } from '../mmdb/write.js';
import type { ManifestFile, ManifestInput } from '../release/contract.js';
import type { LicensedSource } from '../release/dataset-terms.js';
import { SERVICE_POLICY, type ServicePolicy } from '../service/decide-service.js';
import { EVIDENCE_SCHEMA_VERSION } from '../service/evidence-record.js';
import { ISP_SCHEMA_VERSION } from '../service/isp-record.js';
import { evidenceDataset, serviceDataset } from '../service/merge-service.js';
import type { ListInput, ServiceDataset, ServiceParts } from '../service/service.js';
import {
  compileResultSchema,
  keyOfDataset,
  type CompiledDataset,
  type CompileResult,
} from './dataset-plan.js';
import type { DatasetPlan } from './dataset-plan.js';
import { ingestResultSchema, type IngestResult } from './ingest.js';
import { ServiceFigures } from './service-figures.js';
import type { BuildSettings } from './settings.js';
import {
  isTooOld,
  keptList,
  loadIspTables,
  loadList,
  loadNetworkTypes,
  loadOrigins,
  type KeptList,
} from './load-service.js';
import type { StageContext } from './stage.js';
import { writeDataset, type CompiledFile, type Draft } from './write-dataset.js';

/** Raised with every change to what the service datasets say about equal lists. */
const SERVICE_VERSION = 2;

/** What tonight's datasets are made from. */
interface Ingredients {
  readonly inputs: readonly ManifestInput[];
  readonly lists: readonly KeptList[];
  readonly geo: CompileResult;
  readonly routing: CompileResult | undefined;
  readonly policy: ServicePolicy;
}

/**
 * Plans `isp.mmdb`, of everything there is, for the API; `download/isp.mmdb`, of the lists and names whose licences allow
 * it; and `evidence.mmdb`, which lists said what. Without any list there is none of them.
 */
export function planIsp(context: StageContext): DatasetPlan {
  const { settings, children } = context;
  const ingests = settings.lists.map((list) => ingestResultSchema.parse(children[`ingest:${list}`]));
  const geo = compileResultSchema.parse(children['compile:geo']);
  const routing = compileResultSchema.optional().parse(children['compile:routing']);
  const lists = ingests.flatMap((ingest) => keptList(ingest, settings));
  const inputs = inputsOf(ingests);
  const policy = policyOf(settings);
  const made = [`geo ${geo.key}`, `routing ${routing?.key ?? 'none'}`];
  const versions = [
    `writer ${WRITER_VERSION}`,
    `service ${SERVICE_VERSION}`,
    `records ${ISP_SCHEMA_VERSION} ${EVIDENCE_SCHEMA_VERSION}`,
  ];
  return {
    key: keyOfDataset(
      [...versions, `relays ${policy.relaysAreProxies}`, ...made, ...lists.flatMap((list) => dayLines(list))],
      ingests,
      settings,
    ),
    inputs,
    compile: (draft) => compileIsp({ inputs, lists, geo, routing, policy }, { draft, context }),
  };
}

function policyOf({ relaysAreProxies }: BuildSettings): ServicePolicy {
  return relaysAreProxies === undefined ? SERVICE_POLICY : { relaysAreProxies };
}

/** A list of which nothing was there, and nothing expected, is no input. */
function inputsOf(ingests: readonly IngestResult[]): ManifestInput[] {
  const inputs = ingests.map(({ input }) => input);
  return inputs.filter(({ files, refusals }) => files.length + refusals.length > 0);
}

/** Days that a list's rows hang on besides their own. */
function dayLines(list: KeptList): string[] {
  const { input, days, day, today } = list;
  return [
    ...(isTooOld(list) ? [`outdated ${input.feed}`] : []),
    ...(days.isPartlyUndated ? [`copy ${input.feed} ${day}`] : []),
    `today ${input.feed} ${today}`,
  ];
}

/** Where the files go, and who is told. */
interface Writing {
  readonly draft: Draft;
  readonly context: StageContext;
}

async function compileIsp(ingredients: Ingredients, writing: Writing): Promise<CompiledDataset> {
  const { inputs, lists, policy } = ingredients;
  const { log, progress } = writing.context;
  if (lists.length === 0) {
    log('no list of proxies or clouds: no isp.mmdb');
    return { files: [], indexes: [], counters: {}, inputs };
  }
  const served = loadServed(ingredients, writing.context);
  const figures = new ServiceFigures();
  const merged = serviceDataset(served.parts, policy);
  const isp = await write('isp.mmdb', 'served', { ...served, dataset: figures.watching(merged) }, writing);
  const download = openEdition(served, ingredients, writing.context);
  const dataset = download && serviceDataset(download.parts, policy);
  const open = dataset && (await write('download/isp.mmdb', 'download', { ...download, dataset }, writing));
  const said = evidenceDataset(served.parts);
  const from = served.from.filter(({ id }) => speaksInEvidence(id, lists));
  const evidence = await write('evidence.mmdb', 'evidence', { dataset: said, from }, writing);
  const files = [isp, ...(open ? [open] : []), evidence];
  progress({ text: `${files.length} files` });
  const counters = { ...merged.counters, ...said.counters, ...figures.count(merged.table) };
  return { files, indexes: [], counters, inputs };
}

/** Lists, and the routes by which words on an AS come to its networks. */
function speaksInEvidence(id: string, lists: readonly KeptList[]): boolean {
  return id === RIB.id || lists.some(({ input }) => input.feed === id);
}

/** What an edition is made of, and whose data that is. */
interface ServiceEdition {
  readonly parts: ServiceParts;
  readonly from: readonly LicensedSource[];
}

function loadServed({ lists, geo, routing }: Ingredients, { progress }: StageContext): ServiceEdition {
  const loaded = lists.map((list): ListInput => {
    progress({ text: `loading ${list.input.feed}` });
    return loadList(list);
  });
  progress({ text: 'loading networks and ISPs' });
  const parts: ServiceParts = {
    lists: loaded,
    origins: loadOrigins(routing, 'asn.mmdb'),
    networkTypes: loadNetworkTypes(routing),
    isps: loadIspTables(geo),
  };
  const from = sourcesOf(parts, { routing, asn: 'asn.mmdb' });
  return { parts, from: licensed(from, [...lists.map(({ input }) => input), ...othersOf(geo, routing)]) };
}

/** The edition for others to keep: of what was chosen for it, and of lists that are free for all. */
function openEdition(
  { parts }: ServiceEdition,
  { lists, geo, routing }: Ingredients,
  { settings, log }: StageContext,
): ServiceEdition | undefined {
  const inputs = [...lists.map(({ input }) => input), ...othersOf(geo, routing)];
  const isChosen = (id: string): boolean => settings.datasetFeeds.includes(id);
  const isOpen = (id: string): boolean =>
    isChosen(id) || inputs.some(({ feed, licence }) => feed === id && licence.terms === 'free');
  const open: ServiceParts = {
    lists: parts.lists.filter(({ id }) => isOpen(id)),
    origins: loadOrigins(routing, 'download/asn.mmdb'),
    networkTypes: isOpen('peeringdb') ? parts.networkTypes : new Map(),
    isps: parts.isps.filter(({ feed }) => isChosen(feed)),
  };
  if (open.lists.length === 0) {
    log('no download/isp.mmdb: no list that may go into it was usable');
    return undefined;
  }
  return { parts: open, from: licensed(sourcesOf(open, { routing, asn: 'download/asn.mmdb' }), inputs) };
}

function othersOf(geo: CompileResult, routing: CompileResult | undefined): ManifestInput[] {
  return [...geo.inputs, ...(routing?.inputs ?? [])];
}

/** Ids of all whose data goes into an edition; `asn` is the file that tells who announces addresses. */
function sourcesOf(
  { lists, origins, networkTypes, isps }: ServiceParts,
  { routing, asn }: { readonly routing: CompileResult | undefined; readonly asn: string },
): Set<string> {
  const announced = routing?.files.find(({ file }) => file.name === asn)?.file.sources ?? [];
  return new Set([
    ...lists.map(({ id }) => id),
    ...isps.map(({ feed }) => feed),
    ...(origins ? announced : []),
    ...(networkTypes.size > 0 ? ['peeringdb'] : []),
  ]);
}

function licensed(ids: ReadonlySet<string>, inputs: readonly ManifestInput[]): LicensedSource[] {
  return inputs.filter(({ feed }) => ids.has(feed)).map(({ feed, licence }) => ({ id: feed, licence }));
}

function write(
  name: string,
  kind: ManifestFile['kind'],
  { dataset, from }: { readonly dataset: ServiceDataset; readonly from: readonly LicensedSource[] },
  { draft, context }: Writing,
): Promise<CompiledFile> {
  context.progress({ text: `writing ${name}` });
  const { table, records, schema, databaseType, description, languages } = dataset;
  const about = { name, kind, schema, databaseType, description, languages, sources: from };
  return writeDataset(draft, about, { table, records });
}
