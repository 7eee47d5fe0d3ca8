import type { CanaryResult } from './canaries.js';
import type { Coverage, Gate, Manifest, ManifestFile, ManifestInput } from './contract.js';
import { grouped } from './columns.js';

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
  /** As in the manifest. */
  readonly source?: Manifest['source'];
}

/** How far a figure may lie from the last release's: factors of it, both inclusive. */
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

/** What the gates are called. */
const GATE_NAMES = {
  tree: 'tree verifies',
  rows: 'row counts',
  coverage: 'coverage',
  canaries: 'canaries',
  schema: 'schema',
} as const;

/**
 * The gates that a person may overrule: the world may have changed. A file that is broken or breaks its schema stays
 * so, whoever has looked at it.
 */
export const ACCEPTABLE_GATES = [GATE_NAMES.rows, GATE_NAMES.coverage, GATE_NAMES.canaries] as const;
export type AcceptableGate = (typeof ACCEPTABLE_GATES)[number];

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
    gate(GATE_NAMES.rows, describeRowBounds(), judgeRows(candidate.inputs, held?.inputs, excuse)),
    gate(GATE_NAMES.coverage, describeCoverageBounds(), judgeCoverage(candidate.files, held?.files, excuse)),
    gate(GATE_NAMES.canaries, 'every canary as expected', judgeCanaries(canaries)),
    { name: GATE_NAMES.schema, ...candidate.schema, bound: 'every field of every record within its type' },
  ];
}

/** The gates that said no. */
export function failedGates(gates: readonly Gate[]): Gate[] {
  return gates.filter(({ passed }) => !passed);
}

/** The gates as they are when a person accepts some: those pass and say so. Only acceptable ones can be named. */
export function acceptGates(gates: readonly Gate[], accepted: readonly AcceptableGate[]): Gate[] {
  return gates.map((judged) =>
    judged.passed || !accepted.some((name) => name === judged.name)
      ? judged
      : { ...judged, passed: true, found: `${judged.found} (accepted by hand)` },
  );
}

/** Whether a person may overrule the gate. */
export function isAcceptable({ name }: Gate): boolean {
  return ACCEPTABLE_GATES.some((acceptable) => acceptable === name);
}

const NO_RELEASE = 'no release to compare with';

/** One sentence of a gate's finding and whether it is within bounds. */
type Finding = CheckOutcome;

/** Findings that say no come first. */
function gate(name: string, bound: string, findings: readonly Finding[]): Gate {
  const wrong = findings.filter(({ passed }) => !passed);
  const right = findings.filter(({ passed }) => passed);
  return {
    name,
    passed: wrong.length === 0,
    found: [...wrong, ...right].map(({ found }) => found).join('; '),
    bound,
  };
}

function judgeRows(
  inputs: readonly ManifestInput[],
  last: readonly ManifestInput[] | undefined,
  excuse: string,
): Finding[] {
  const rows = rowsByFeed(inputs);
  if (rows.size === 0) return [{ passed: false, found: 'no feed was read' }];
  if (!last) return [{ passed: true, found: excuse }];
  const lastRows = rowsByFeed(last);
  const findings = [...rows].map(([feed, accepted]): Finding => {
    const before = lastRows.get(feed);
    if (before === undefined) return { passed: true, found: `${feed} is new: ${grouped(accepted)} rows` };
    return compareFigures({ name: `${feed} rows`, now: accepted, before, bounds: ROW_BOUNDS });
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
  return new Map(used.map(({ feed, files }) => [feed, files.reduce((sum, file) => sum + file.accepted, 0)]));
}

function judgeCoverage(
  files: readonly ManifestFile[],
  last: readonly ManifestFile[] | undefined,
  excuse: string,
): Finding[] {
  if (!last) return [{ passed: true, found: excuse }];
  const findings = files.flatMap((file): Finding[] => {
    const before = last.find(({ name }) => name === file.name);
    if (!before) return [{ passed: true, found: `${file.name} is new` }];
    return COVERAGE_FIGURES.map((figure) =>
      compareFigures({
        name: `${file.name} ${figure}`,
        now: file.coverage[figure],
        before: before.coverage[figure],
        bounds: COVERAGE_BOUNDS[figure],
      }),
    );
  });
  const gone = last.filter(({ name }) => !files.some((file) => file.name === name));
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
  readonly before: number;
  readonly bounds: Bounds;
}

/** A figure that was 0 is held against nothing: no factor leads away from it. */
function compareFigures({ name, now, before, bounds }: Figures): Finding {
  if (before === 0) return { passed: true, found: `${name} ${grouped(now)} (none in the last release)` };
  const passed = now >= before * bounds.least && now <= before * bounds.most;
  return { passed, found: `${name} ${grouped(now)} (${percent(now / before)} of ${grouped(before)})` };
}

function describeRowBounds(): string {
  return `accepted rows of every feed ${range(ROW_BOUNDS)} of the last release's`;
}

function describeCoverageBounds(): string {
  const figures = COVERAGE_FIGURES.map((figure) => `${figure} ${range(COVERAGE_BOUNDS[figure])}`);
  return `${figures.join(', ')} of the last release's, no dataset gone`;
}

function range({ least, most }: Bounds): string {
  return `${percent(least)} to ${percent(most)}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
