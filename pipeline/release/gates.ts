import { isComparable, scorecardIn } from './accuracy.js';
import type { CanaryResult } from './canaries.js';
import type { Coverage, Gate, Manifest, ManifestFile, ManifestIndex, ManifestInput } from './contract.js';
import { compareFigures, range, type Bounds, type CheckOutcome } from './figures.js';
import { GATE_NAMES } from './gate-names.js';
import { ACCURACY_BOUNDS, judgeAccuracy } from './judge-accuracy.js';
import { judgeCanaries } from './judge-canaries.js';
import { judgeProxies, PROXY_BOUNDS_TEXT, ispCounters } from './judge-proxies.js';
import { judgeRoutes, ROUTE_BOUNDS, routingCounters } from './judge-routes.js';
import { grouped } from '../text/figure-text.js';

/** The candidate for publication, as the gates see it. */
export interface GateFigures {
  /** Result of the verifier's walk through every tree. */
  readonly tree: CheckOutcome;
  /** Result of the verifier's check of every record against the schema. */
  readonly schema: CheckOutcome;
  readonly inputs: readonly ManifestInput[];
  readonly files: readonly ManifestFile[];
  /** As in the manifest. */
  readonly indexes?: readonly ManifestIndex[] | undefined;
  /** As in the manifest. */
  readonly datasets?: Manifest['datasets'] | undefined;
  /**
   * Maps the id of an input file to the id of its series. File names may contain dates, and a series may have thousands
   * of members.
   */
  readonly seriesOf: (fileId: string) => string;
  /**
   * Ids of the inputs that are lists. Ingest compares them with their last good copies; their rows have no bounds here.
   */
  readonly lists?: ReadonlySet<string>;
  /** As in the manifest. */
  readonly source?: Manifest['source'];
}

/** Bounds of a feed's accepted rows. Beyond them a file is broken or in another format. */
export const ROW_BOUNDS: Bounds = { least: 0.5, most: 3 };

/** Bounds of figures that are only reported. */
const NO_BOUNDS: Bounds = { least: 0, most: Infinity };

/** Bounds of a dataset's addresses. Users notice a loss at once; a large gain is usually a wrong covering network. */
export const COVERAGE_BOUNDS: Readonly<Record<CoverageFigure, Bounds>> = {
  ipv4Addresses: { least: 0.95, most: 1.5 },
  ipv6Slash64s: { least: 0.95, most: 1.5 },
};

const COVERAGE_FIGURES = ['ipv4Addresses', 'ipv6Slash64s'] as const satisfies readonly (keyof Coverage)[];
type CoverageFigure = (typeof COVERAGE_FIGURES)[number];
const FIGURE_NAMES: Readonly<Record<CoverageFigure, string>> = {
  ipv4Addresses: 'IPv4 addresses',
  ipv6Slash64s: 'IPv6 /64s',
};

/**
 * Returns every gate of a release, passed or not. `last` is absent for the first release. A real release is not
 * compared with one built from fixtures. A release from fixtures is compared with a real one, so it cannot replace it.
 */
export function judgeRelease(
  candidate: GateFigures,
  last: Manifest | undefined,
  canaries: readonly CanaryResult[],
): Gate[] {
  const onlyFixtures = last !== undefined && !isComparable(candidate, last);
  const excuse = onlyFixtures
    ? `not compared: the last release, ${last.id}, is built from fixtures`
    : NO_RELEASE;
  const held = onlyFixtures ? undefined : last;
  return [
    { name: GATE_NAMES.tree, ...candidate.tree, bound: 'the verifier finds no error' },
    gate(GATE_NAMES.rows, describeRowBounds(), judgeRows(candidate, held, excuse)),
    gate(GATE_NAMES.coverage, describeCoverageBounds(), judgeCoverage(candidate, held, excuse)),
    ...routesGate(candidate, held, excuse),
    ...proxiesGate(candidate, held, excuse),
    ...accuracyGate(candidate, held, excuse),
    gate(GATE_NAMES.canaries, 'all canaries have the expected answer', judgeCanaries(canaries)),
    { name: GATE_NAMES.schema, ...candidate.schema, bound: 'every field of every record has its type' },
  ];
}

/** Returns the gates that failed. */
export function failedGates(gates: readonly Gate[]): Gate[] {
  return gates.filter(({ passed }) => !passed);
}

const NO_RELEASE = 'no release to compare with';

/** Builds a gate from findings. If some failed, `found` has only those. */
function gate(name: string, bound: string, findings: readonly CheckOutcome[]): Gate {
  const wrong = findings.filter(({ passed }) => !passed);
  const passed = wrong.length === 0;
  return { name, passed, found: (passed ? findings : wrong).map(({ found }) => found).join('; '), bound };
}

function judgeRows(candidate: GateFigures, last: Manifest | undefined, excuse: string): CheckOutcome[] {
  const rows = rowsByFeed(candidate.inputs);
  if (rows.size === 0) return [{ passed: false, found: 'no feeds were read' }];
  if (!last) return [{ passed: true, found: excuse }];
  const lastRows = rowsByFeed(last.inputs);
  const added = addedRows(candidate, last);
  const findings = [...rows].map(([feed, now]): CheckOutcome => {
    const before = lastRows.get(feed);
    if (before === undefined) return { passed: true, found: `${feed} is new: ${grouped(now)} rows` };
    const name = `${feed} rows`;
    const bounds = candidate.lists?.has(feed) === true ? NO_BOUNDS : ROW_BOUNDS;
    return compareFigures({ name, now, added: added.get(feed) ?? 0, before, bounds });
  });
  const gone = [...lastRows].filter(([feed]) => !rows.has(feed));
  for (const [feed, before] of gone) {
    findings.push({ passed: true, found: `${feed} was removed: it had ${grouped(before)} rows` });
  }
  return findings;
}

/** Returns the accepted rows of every feed that has a used file. */
function rowsByFeed(inputs: readonly ManifestInput[]): Map<string, number> {
  const used = inputs.filter(({ files }) => files.length > 0);
  return new Map(used.map(({ feed, files }) => [feed, sumOfAccepted(files)]));
}

/**
 * Returns the accepted rows from files that the last release did not have, by feed. Feeds without such files are
 * absent.
 */
function addedRows({ inputs, seriesOf }: GateFigures, last: Manifest): Map<string, number> {
  const added = new Map<string, number>();
  for (const { feed, files } of inputs) {
    const lastFiles = last.inputs.find((input) => input.feed === feed)?.files ?? [];
    const known = new Set(lastFiles.map(({ id }) => seriesOf(id)));
    const newFiles = files.filter(({ id }) => !known.has(seriesOf(id)));
    if (newFiles.length > 0) added.set(feed, sumOfAccepted(newFiles));
  }
  return added;
}

function sumOfAccepted(files: ManifestInput['files']): number {
  return files.reduce((sum, { accepted }) => sum + accepted, 0);
}

function judgeCoverage(candidate: GateFigures, last: Manifest | undefined, excuse: string): CheckOutcome[] {
  if (!last) return [{ passed: true, found: excuse }];
  const grown = [...addedRows(candidate, last).keys()];
  // A single feed or list may lose half of its networks in a night; the gate on rows covers that.
  const isDataset = ({ kind }: ManifestFile): boolean => kind !== 'verdicts' && kind !== 'evidence';
  const findings = candidate.files.filter(isDataset).flatMap((file): CheckOutcome[] => {
    const before = last.files.find(({ name }) => name === file.name);
    if (!before) return [{ passed: true, found: `${file.name} is new` }];
    // 32-bit keys are not addresses.
    if (file.ipVersion === 4) return [compareKeys(file, before)];
    return COVERAGE_FIGURES.map((figure) =>
      compareFigures({
        name: `${file.name} ${FIGURE_NAMES[figure]}`,
        now: file.coverage[figure],
        added: addedSpace(file, grown, figure),
        before: before.coverage[figure],
        bounds: COVERAGE_BOUNDS[figure],
      }),
    );
  });
  const names = ({ files, indexes = [] }: Pick<GateFigures, 'files' | 'indexes'>): string[] =>
    [...files.filter(isDataset), ...indexes].map(({ name }) => name);
  const there = new Set(names(candidate));
  const gone = names(last).filter((name) => !there.has(name));
  return [...findings, ...gone.map((name) => ({ passed: false, found: `${name} is missing` }))];
}

/**
 * Returns how much of a dataset's space may come from new files of these feeds. The file behind an answer is unknown,
 * so all space decided by such a feed counts; in datasets without deciding feeds, all space counts.
 */
function addedSpace(
  { sources, coverage, coverageByFeed }: ManifestFile,
  grown: readonly string[],
  figure: CoverageFigure,
): number {
  const isDecided = Object.keys(coverageByFeed).length > 0;
  if (!isDecided) return grown.some((feed) => sources.includes(feed)) ? coverage[figure] : 0;
  return grown.reduce((sum, feed) => sum + (coverageByFeed[feed]?.[figure] ?? 0), 0);
}

function compareKeys({ name, coverage }: ManifestFile, before: ManifestFile): CheckOutcome {
  const [now, last] = [coverage, before.coverage].map(({ networks }) => networks) as [number, number];
  const bounds = COVERAGE_BOUNDS.ipv4Addresses;
  return compareFigures({ name: `${name} keys`, now, added: 0, before: last, bounds });
}

/** Returns the gate on the routing table; none without a routing table, which the gate `coverage` reports. */
function routesGate(candidate: GateFigures, last: Manifest | undefined, excuse: string): Gate[] {
  const now = routingCounters(candidate.datasets);
  if (!now) return [];
  const before = routingCounters(last?.datasets);
  const hasNewCollector = last !== undefined && addedRows(candidate, last).has('rib');
  const findings = last ? judgeRoutes({ now, before, hasNewCollector }) : [{ passed: true, found: excuse }];
  return [gate(GATE_NAMES.routes, ROUTE_BOUNDS, findings)];
}

/** Returns the gate on proxies; none when no lists were read. */
function proxiesGate(candidate: GateFigures, last: Manifest | undefined, excuse: string): Gate[] {
  const now = ispCounters(candidate.datasets);
  if (!now) return [];
  const before = ispCounters(last?.datasets);
  const added = last ? [...addedRows(candidate, last).keys()] : [];
  const hasNewList = added.some((feed) => candidate.lists?.has(feed));
  const findings = last ? judgeProxies({ now, before, hasNewList }) : [{ passed: true, found: excuse }];
  return [gate(GATE_NAMES.proxies, PROXY_BOUNDS_TEXT, findings)];
}

/** Returns the gate on accuracy; none when neither release has a scorecard. */
function accuracyGate(candidate: GateFigures, last: Manifest | undefined, excuse: string): Gate[] {
  const [now, before] = [scorecardIn(candidate.datasets), scorecardIn(last?.datasets)];
  if (!now && !before) return [];
  const findings = last ? judgeAccuracy(now, before) : [{ passed: true, found: excuse }];
  return [gate(GATE_NAMES.accuracy, ACCURACY_BOUNDS, findings)];
}

function describeRowBounds(): string {
  return `accepted rows of each feed ${range(ROW_BOUNDS)} of the last release, without new files`;
}

function describeCoverageBounds(): string {
  const figures = COVERAGE_FIGURES.map(
    (figure) => `${FIGURE_NAMES[figure]} ${range(COVERAGE_BOUNDS[figure])}`,
  );
  return `${figures.join(', ')} of the last release, without new files; no dataset missing`;
}
