import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { citySubject, verdictSubject, type Subject } from '../evaluate/answers.js';
import { evaluate, type Division, type Evaluation } from '../evaluate/evaluate.js';
import { formatEvaluation, formatNotes, formatRemarks } from '../evaluate/format-evaluation.js';
import { InputSpace } from '../evaluate/input-space.js';
import { readOperators, readTruth, type ReadTruth } from '../evaluate/read-truth.js';
import { resolveTruth, type RowRemark, type Truth } from '../evaluate/truth.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { readMmdbFile, type ReadMmdb } from '../mmdb/read.js';
import { ReleaseError, type Release } from '../release/release-store.js';
import { readCachedGazetteer } from './cached-gazetteer.js';
import { printableLines } from '../text/printable.js';

/** The evaluation of a release against a truth file, with every row of the files that was not used or only partly. */
export interface ReleaseEvaluation extends Evaluation {
  readonly release: string;
  readonly truth: Pick<ReadTruth, 'notes'> &
    Pick<Truth, 'partly'> & { readonly file: string; readonly setAside: readonly RowRemark[] };
  readonly operators?: { readonly file: string; readonly setAside: readonly RowRemark[] };
}

/** Paths of the truth file and of the operators file. */
export interface TruthFiles {
  readonly truth: string;
  readonly operators?: string;
}

/**
 * Scores each verdict table and each merged table of a release. Throws ReleaseError when a table or its gazetteer is
 * missing, FeedError when the truth file is invalid.
 */
export async function evaluateRelease(
  release: Release,
  outputDir: string,
  files: TruthFiles,
): Promise<ReleaseEvaluation> {
  const gazetteer = await readCachedGazetteer(release, outputDir);
  const read = await readTruth(files.truth);
  const truth = resolveTruth(read.rows, gazetteer);
  const operators = files.operators === undefined ? undefined : await readOperators(files.operators);
  const tables = readTables(release);
  const evaluation = evaluate({
    places: truth.places,
    subjects: tables.map((table) => subjectOf(table, gazetteer)),
    inputSpace: inputSpaceOf(release, tables),
    operators: operators?.operators ?? new Map(),
  });
  const setAside = [...read.setAside, ...truth.setAside].sort((a, b) => a.line - b.line);
  return {
    release: release.id,
    truth: { file: files.truth, setAside, partly: truth.partly, notes: read.notes },
    ...(files.operators !== undefined &&
      operators && { operators: { file: files.operators, setAside: operators.setAside } }),
    ...evaluation,
  };
}

/** Returns an evaluation as text. */
export function describeEvaluation(evaluation: ReleaseEvaluation, divisions: readonly Division[]): string {
  const { release, truth, operators } = evaluation;
  return [
    printableLines([`release ${release} against ${truth.file}`]),
    formatEvaluation(evaluation, divisions),
    ...titled(
      'rows excluded, by the basis of the statement that the build used there:',
      formatRemarks(evaluation.excludedRows),
    ),
    ...titled(`rows of ${basename(truth.file)} not used:`, formatRemarks(truth.setAside)),
    ...titled('rows used, but not at every level:', formatRemarks(truth.partly)),
    ...titled('notes on its rows:', formatNotes(truth.notes)),
    ...(operators
      ? titled(`rows of ${basename(operators.file)} not used:`, formatRemarks(operators.setAside))
      : []),
  ].join('\n');
}

/** An empty line, a title and lines; nothing for no lines. */
function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [printableLines(['', title, ...lines])];
}

interface Table {
  readonly name: string;
  /** Feed id of a verdict table; absent for a merged table. */
  readonly feed: string | undefined;
  readonly file: ReadMmdb;
}

/** The verdict tables in the order of the manifest, then the merged tables. */
function readTables({ dir, manifest }: Release): Table[] {
  const names = manifest.files
    .filter(({ name, databaseType }) => feedOf(name) !== undefined || databaseType.startsWith('ipatlas-City'))
    .map(({ name }) => name);
  const verdicts = names.filter((name) => feedOf(name) !== undefined);
  const merges = names.filter((name) => feedOf(name) === undefined);
  return [...verdicts, ...merges].map((name) => {
    const path = join(dir, name);
    if (!existsSync(path)) throw new ReleaseError(path, 'file not found');
    return { name, feed: feedOf(name), file: readMmdbFile(path) };
  });
}

function feedOf(name: string): string | undefined {
  return /^sources\/(.+)\.mmdb$/.exec(name)?.[1];
}

function subjectOf({ name, feed, file }: Table, gazetteer: Gazetteer): Subject {
  return feed === undefined ? citySubject(name, file, gazetteer) : verdictSubject(feed, file, gazetteer);
}

/** The networks that `own` names. They are left out: the merge has their location as input. */
function inputSpaceOf({ dir, manifest }: Release, tables: readonly Table[]): InputSpace | undefined {
  const own = tables.find(({ feed }) => feed === 'own');
  if (own) return new InputSpace(own.file);
  if (!manifest.inputs.some(({ feed, files }) => feed === 'own' && files.length > 0)) return undefined;
  const path = join(dir, 'sources/own.mmdb');
  throw new ReleaseError(
    path,
    'file not found: it is needed to leave out geofeed networks; build a new release',
  );
}
