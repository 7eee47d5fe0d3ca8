import { RIB } from '../bgp/rib-source.js';
import { WRITER_VERSION } from '../mmdb/write.js';
import type { ManifestFile, ManifestInput } from '../release/contract.js';
import type { LicensedSource } from '../release/dataset-terms.js';
import { DEFAULT_POLICY, type ProxyPolicy } from '../isp/decide-listings.js';
import { EVIDENCE_SCHEMA_VERSION } from '../isp/evidence-record.js';
import { ISP_SCHEMA_VERSION } from '../isp/isp-record.js';
import { OBSERVING_IDS } from '../registry/observing-sources.js';
import { evidenceDataset } from '../isp/evidence-dataset.js';
import { ispDataset, type MmdbDataset } from '../isp/isp-dataset.js';
import type { IspInputs, ListInput } from '../isp/isp-inputs.js';
import { relayAllowances } from '../isp/relay-allowances.js';
import {
  compileResultSchema,
  keyOfDataset,
  type CompiledDataset,
  type CompileResult,
} from './dataset-plan.js';
import type { DatasetPlan } from './dataset-plan.js';
import { ingestResultSchema, type IngestResult } from '../ingest/ingest-source.js';
import { IspFigures } from './isp-figures.js';
import type { BuildSettings } from '../stage/settings.js';
import {
  isReadForIsp,
  isTooOld,
  keptList,
  loadIspTables,
  loadList,
  loadNetworkTypes,
  loadOrigins,
  type KeptList,
} from './load-isp.js';
import { locateDataset, type LocatedDataset } from './dataset-folder.js';
import { geoVerdictsOf, ispVerdictFiles, type GeoVerdicts } from './verdict-files.js';
import { locateIngests } from './located.js';
import type { StageContext } from '../stage/stage.js';
import { stepsOf } from '../stage/steps.js';
import { writeDataset, type CompiledFile, type Draft } from './write-dataset.js';

/** Increased with every change to what these datasets contain for the same inputs. */
const DECISIONS_VERSION = 3;

/** The inputs of tonight's datasets. */
interface Ingredients {
  readonly inputs: readonly ManifestInput[];
  readonly lists: readonly KeptList[];
  readonly geo: GeoVerdicts;
  readonly routing: CompileResult | undefined;
  readonly policy: ProxyPolicy;
}

/** The inputs with the files of the other datasets on this machine. */
interface LocatedIngredients extends Ingredients {
  /** The files of verdicts with ISP names. */
  readonly verdicts: ReadonlyMap<string, string>;
  readonly routing: LocatedDataset | undefined;
}

/**
 * Plans `isp.mmdb` from all inputs, for the API; `download/isp.mmdb` from the lists and names with a licence that
 * allows it; and `evidence.mmdb`, what each list says. Without any list, none of them is built.
 */
export async function planIsp(context: StageContext): Promise<DatasetPlan> {
  const { settings, children } = context;
  const ingests = settings.lists.map((list) => ingestResultSchema.parse(children[`ingest:${list}`]));
  const geo = geoVerdictsOf(context);
  const routing = compileResultSchema.optional().parse(children['compile:routing']);
  const located = await locateIngests(ingests, context);
  const lists = located.flatMap((ingest) => keptList(ingest, settings));
  const inputs = inputsOf(ingests);
  const policy = policyOf(settings);
  const made = [`geo ${geo.key}`, `routing ${routing?.key ?? 'none'}`];
  const versions = [
    `writer ${WRITER_VERSION}`,
    `decisions ${DECISIONS_VERSION}`,
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

function policyOf({ relaysAreProxies }: BuildSettings): ProxyPolicy {
  return relaysAreProxies === undefined ? DEFAULT_POLICY : { relaysAreProxies };
}

/** Returns the inputs of the manifest. A list without files and without refusals is not an input. */
function inputsOf(ingests: readonly IngestResult[]): ManifestInput[] {
  const inputs = ingests.map(({ input }) => input);
  return inputs.filter(({ files, refusals }) => files.length + refusals.length > 0);
}

/** Returns the days of a list that change its records, for the key of the datasets. */
function dayLines(list: KeptList): string[] {
  const { input, days, day, today } = list;
  return [
    ...(isTooOld(list) ? [`outdated ${input.feed}`] : []),
    ...(days.isPartlyUndated ? [`copy ${input.feed} ${day}`] : []),
    `today ${input.feed} ${today}`,
  ];
}

/** Where the files are written, and where progress is reported. */
interface Writing {
  readonly draft: Draft;
  readonly context: StageContext;
}

type IspFile = 'isp.mmdb' | 'download/isp.mmdb' | 'evidence.mmdb';

/** The steps of the job, with their times in seconds for all lists. */
const STEPS: Readonly<Record<'lists' | 'networks' | IspFile, number>> = {
  lists: 2,
  networks: 5,
  'isp.mmdb': 12,
  'download/isp.mmdb': 8,
  'evidence.mmdb': 4,
};

async function compileIsp(ingredients: Ingredients, writing: Writing): Promise<CompiledDataset> {
  const { inputs, lists, policy } = ingredients;
  const { log, progress } = writing.context;
  if (lists.length === 0) {
    log('isp.mmdb is not built: no list of proxies or clouds is usable');
    return { files: [], indexes: [], counters: {}, inputs };
  }
  const verdicts = await ispVerdictFiles(ingredients.geo, writing.context);
  const routing =
    ingredients.routing && (await locateDataset(ingredients.routing, writing.context, isReadForIsp));
  const made = { ...ingredients, verdicts, routing };
  const served = loadServed(made, writing.context);
  const figures = new IspFigures();
  const merged = ispDataset(served.inputs, policy);
  const isp = await write('isp.mmdb', 'served', { ...served, dataset: figures.watching(merged) }, writing);
  const download = openEdition(served, made, writing.context);
  const dataset = download && ispDataset(download.inputs, policy);
  const open = dataset && (await write('download/isp.mmdb', 'download', { ...download, dataset }, writing));
  const said = evidenceDataset({ ...served.inputs, uses: merged.uses });
  const from = served.from.filter(({ id }) => isInEvidence(id, lists));
  const evidence = await write('evidence.mmdb', 'evidence', { dataset: said, from }, writing);
  const files = [isp, ...(open ? [open] : []), evidence];
  progress({ share: 1, text: `${files.length} files` });
  const counters = { ...merged.counters, ...said.counters, ...figures.count(merged.table) };
  return { files, indexes: [], counters, inputs };
}

/** Returns whether a source is in the evidence: lists, and what connects an AS to its networks. */
function isInEvidence(id: string, lists: readonly KeptList[]): boolean {
  return [RIB.id, ...OBSERVING_IDS].includes(id) || lists.some(({ input }) => input.feed === id);
}

/** The inputs of one edition of `isp.mmdb`, and the sources to name in its terms. */
interface IspEdition {
  readonly inputs: IspInputs;
  readonly from: readonly LicensedSource[];
}

function loadServed(
  { lists, geo, verdicts, routing }: LocatedIngredients,
  context: StageContext,
): IspEdition {
  const steps = stepsOf(context, STEPS);
  const loaded = lists.map((list): ListInput => {
    steps.start('lists', `loading ${list.input.feed}`);
    return loadList(list);
  });
  steps.start('networks', 'loading networks and ISPs');
  const inputs: IspInputs = {
    lists: loaded,
    origins: loadOrigins(routing, 'asn.mmdb'),
    networkTypes: loadNetworkTypes(routing),
    feeds: loadIspTables(verdicts),
  };
  const from = sourcesOf(inputs, { routing, asn: 'asn.mmdb' });
  return { inputs, from: licensed(from, [...lists.map(({ input }) => input), ...othersOf(geo, routing)]) };
}

/** Selects the inputs of the download from those of `isp.mmdb`; undefined when no list may go into it. */
function openEdition(
  { inputs: all }: IspEdition,
  { lists, geo, routing }: LocatedIngredients,
  { settings, log }: StageContext,
): IspEdition | undefined {
  const inputs = [...lists.map(({ input }) => input), ...othersOf(geo, routing)];
  const isChosen = (id: string): boolean => settings.datasetFeeds.includes(id);
  const open: IspInputs = {
    lists: all.lists.filter(({ id }) => isChosen(id)),
    origins: loadOrigins(routing, 'download/asn.mmdb'),
    networkTypes: isChosen('peeringdb') ? all.networkTypes : new Map(),
    feeds: all.feeds.filter(({ feed }) => isChosen(feed)),
  };
  if (open.lists.length === 0) {
    log('download/isp.mmdb is not built: no list that may go into it is usable');
    return undefined;
  }
  const from = licensed(sourcesOf(open, { routing, asn: 'download/asn.mmdb' }), inputs);
  const allowances = relayAllowances(all.lists.filter(({ id }) => !isChosen(id)));
  return { inputs: { ...open, lists: [...open.lists, ...allowances] }, from };
}

function othersOf(geo: GeoVerdicts, routing: CompileResult | undefined): ManifestInput[] {
  return [...geo.inputs, ...(routing?.inputs ?? [])];
}

/** Returns the ids of all sources of an edition; `asn` names the file with the announcing ASes. */
function sourcesOf(
  { lists, origins, networkTypes, feeds }: IspInputs,
  { routing, asn }: { readonly routing: CompileResult | undefined; readonly asn: string },
): Set<string> {
  const announced = routing?.files.find(({ file }) => file.name === asn)?.file.sources ?? [];
  return new Set([
    ...lists.map(({ id }) => id),
    ...feeds.map(({ feed }) => feed),
    ...(origins ? announced : []),
    ...(networkTypes.size > 0 ? ['peeringdb'] : []),
  ]);
}

function licensed(ids: ReadonlySet<string>, inputs: readonly ManifestInput[]): LicensedSource[] {
  return inputs.filter(({ feed }) => ids.has(feed)).map(({ feed, licence }) => ({ id: feed, licence }));
}

function write(
  name: IspFile,
  kind: ManifestFile['kind'],
  { dataset, from }: { readonly dataset: MmdbDataset; readonly from: readonly LicensedSource[] },
  { draft, context }: Writing,
): Promise<CompiledFile> {
  stepsOf(context, STEPS).start(name, `writing ${name}`);
  const { table, records, schema, databaseType, description, languages } = dataset;
  const about = { name, kind, schema, databaseType, description, languages, sources: from };
  return writeDataset(draft, about, { table, records });
}
