import type { CanaryResult } from './canaries.js';
import type { Coverage, Gate, Manifest, ManifestFile, ManifestInput } from './contract.js';
import { grouped } from './columns.js';
import { GATE_NAMES } from './gate-names.js';

/** A check made elsewhere: its outcome and what was found, in words. */
export interface CheckOutcome {
  readonly passed: boolean;
  readonly found: string;
}

/** What is held against the gates of a release that is about to be published. */
export interface GateFigures {
  /** The verifier's full walk through the trees. */
  readonly tree: CheckOutcome;
  /** The verifier's check of every record against the schema. */
  readonly schema: CheckOutcome;
  readonly inputs: readonly ManifestInput[];
  readonly files: readonly ManifestFile[];
  /**
   * The file of a feed that an input file, by its id, is one issue or one member of: names may carry dates, families
   * may have thousands of members.
   */
  readonly seriesOf: (fileId: string) => string;
  /** As in the manifest. */
  readonly source?: Manifest['source'];
}

/**
 * How far a figure may lie from the last release's: factors of it, both inclusive. What a feed or file adds that the
 * last release did not have does not count against `most`: after a poor night the next good one must come through.
 */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** A feed's accepted rows: half may be a bad night, a third of them may be the old ones; beyond it something broke. */
export const ROW_BOUNDS: Bounds = { least: 0.5, most: 3 };

/** Addresses of a dataset: losing them is seen by users at once, gaining many at once is a wrong covering network. */
export const COVERAGE_BOUNDS: Readonly<Record<CoverageFigure, Bounds>> = {
  ipv4Addresses: { least: 0.95, most: 1.5 },
  ipv6Slash64s: { least: 0.95, most: 1.5 },
};

const COVERAGE_FIGURES = ['ipv4Addresses', 'ipv6Slash64s'] as const satisfies readonly (keyof Coverage)[];
type CoverageFigure = (typeof COVERAGE_FIGURES)[number];

/**
 * Every gate of a release, passed or not. `last` is absent for the first release. One built from fixtures is no
 * measure for a release that is not; the other way round it is, so that fixtures never replace real releases.
 */
export function judgeRelease(
  candidate: GateFigures,
  last: Manifest | undefined,
  canaries: readonly CanaryResult[],
): Gate[] {
  const onlyFixtures = last?.source === 'fixtures' && candidate.source !== 'fixtures';
  const excuse = onlyFixtures ? `the last release, ${last.id}, is of fixtures: not compared` : NO_RELEASE;
  const held = onlyFixtures ? undefined : last;
  return [
    { name: GATE_NAMES.tree, ...candidate.tree, bound: 'every check of the verifier' },
    gate(GATE_NAMES.rows, describeRowBounds(), judgeRows(candidate, held, excuse)),
    gate(GATE_NAMES.coverage, describeCoverageBounds(), judgeCoverage(candidate, held, excuse)),
    gate(GATE_NAMES.canaries, 'every canary as expected', judgeCanaries(canaries)),
    { name: GATE_NAMES.schema, ...candidate.schema, bound: 'every field of every record within its type' },
  ];
}

/** The gates that said no. */
export function failedGates(gates: readonly Gate[]): Gate[] {
  return gates.filter(({ passed }) => !passed);
}

const NO_RELEASE = 'no release to compare with';

/** One sentence of a gate's finding and whether it is within bounds. */
type Finding = CheckOutcome;

/** Where something is wrong, only that is told. */
function gate(name: string, bound: string, findings: readonly Finding[]): Gate {
  const wrong = findings.filter(({ passed }) => !passed);
  const passed = wrong.length === 0;
  return { name, passed, found: (passed ? findings : wrong).map(({ found }) => found).join('; '), bound };
}

function judgeRows(candidate: GateFigures, last: Manifest | undefined, excuse: string): Finding[] {
  const rows = rowsByFeed(candidate.inputs);
  if (rows.size === 0) return [{ passed: false, found: 'no feed was read' }];
  if (!last) return [{ passed: true, found: excuse }];
  const lastRows = rowsByFeed(last.inputs);
  const added = addedRows(candidate, last);
  const findings = [...rows].map(([feed, now]): Finding => {
    const before = lastRows.get(feed);
    if (before === undefined) return { passed: true, found: `${feed} is new: ${grouped(now)} rows` };
    const name = `${feed} rows`;
    return compareFigures({ name, now, added: added.get(feed) ?? 0, before, bounds: ROW_BOUNDS });
  });
  const gone = [...lastRows].filter(([feed]) => !rows.has(feed));
  for (const [feed, before] of gone) {
    findings.push({ passed: true, found: `${feed} is gone: it had ${grouped(before)} rows` });
  }
  return findings;
}

/** Accepted rows of every feed of which any file was used. */
function rowsByFeed(inputs: readonly ManifestInput[]): Map<string, number> {
  const used = inputs.filter(({ files }) => files.length > 0);
  return new Map(used.map(({ feed, files }) => [feed, sumOfAccepted(files)]));
}

/** Accepted rows of files that the last release did not have, by feed; no entry for a feed without such a file. */
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

function judgeCoverage(candidate: GateFigures, last: Manifest | undefined, excuse: string): Finding[] {
  if (!last) return [{ passed: true, found: excuse }];
  const grown = [...addedRows(candidate, last).keys()];
  // One feed may lose half of its networks in a night: its rows have a gate, its refusals are told.
  const isDataset = ({ kind }: ManifestFile): boolean => kind !== 'verdicts';
  const findings = candidate.files.filter(isDataset).flatMap((file): Finding[] => {
    const before = last.files.find(({ name }) => name === file.name);
    if (!before) return [{ passed: true, found: `${file.name} is new` }];
    return COVERAGE_FIGURES.map((figure) =>
      compareFigures({
        name: `${file.name} ${figure}`,
        now: file.coverage[figure],
        // Which file an answer came from is not known: all that its feed decided may come from the new one.
        added: grown.reduce((sum, feed) => sum + (file.coverageByFeed[feed]?.[figure] ?? 0), 0),
        before: before.coverage[figure],
        bounds: COVERAGE_BOUNDS[figure],
      }),
    );
  });
  const gone = last.files
    .filter(isDataset)
    .filter(({ name }) => !candidate.files.some((file) => file.name === name));
  return [...findings, ...gone.map(({ name }) => ({ passed: false, found: `${name} is gone` }))];
}

function judgeCanaries(results: readonly CanaryResult[]): Finding[] {
  if (results.length === 0) return [{ passed: false, found: 'no canary was looked up' }];
  const wrong = results.filter(({ passed }) => !passed);
  if (wrong.length === 0) return [{ passed: true, found: `${results.length} of ${results.length} right` }];
  return wrong.map(({ ip, found, expected }) => ({
    passed: false,
    found: `${ip}: ${found}, not ${expected}`,
  }));
}

interface Figures {
  readonly name: string;
  readonly now: number;
  /** How much of `now` may be the doing of feeds and files that the last release did not have. */
  readonly added: number;
  readonly before: number;
  readonly bounds: Bounds;
}

/** A figure that was 0 is held against nothing: no factor leads away from it. */
function compareFigures({ name, now, added, before, bounds }: Figures): Finding {
  if (before === 0) return { passed: true, found: `${name} ${grouped(now)} (none in the last release)` };
  const passed = now >= before * bounds.least && now - added <= before * bounds.most;
  const news = added === 0 ? '' : `, ${grouped(added)} of it from what is new`;
  return { passed, found: `${name} ${grouped(now)} (${percent(now / before)} of ${grouped(before)}${news})` };
}

function describeRowBounds(): string {
  return `accepted rows of every feed ${range(ROW_BOUNDS)} of the last release's, what is new not counted`;
}

function describeCoverageBounds(): string {
  const figures = COVERAGE_FIGURES.map((figure) => `${figure} ${range(COVERAGE_BOUNDS[figure])}`);
  return `${figures.join(', ')} of the last release's, what is new not counted; no dataset gone`;
}

function range({ least, most }: Bounds): string {
  return `${percent(least)} to ${percent(most)}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
