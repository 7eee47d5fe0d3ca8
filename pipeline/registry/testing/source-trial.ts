import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { openFileAt, PROJECT_ROOT } from '../../../fixtures/open-file.js';
import { RESERVED } from '../../feeds/testing/feed-trial.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError, RefusedFiles } from '../../input/feed-error.js';
import type { RoutingSource } from '../../input/routing-source.js';
import { Tally } from '../../input/tally.js';

/** The result of normalising some files. */
export interface SourceTrial {
  /** The folder with the normalised files. */
  readonly dir: string;
  /** Returns the tally of a file by its name. */
  readonly tally: (name: string) => Tally;
  /** Returns `reason@position` of the rejected rows that are kept as examples, sorted. */
  readonly rejections: (name: string) => string[];
  readonly log: readonly string[];
}

/** Normalises files into a new folder below `root`. */
export async function trySource(
  root: string,
  source: RoutingSource,
  files: readonly OpenFile[],
): Promise<SourceTrial> {
  const dir = mkdtempSync(join(root, 'made-'));
  const tallies = new Map(files.map(({ id }) => [id, new Tally()]));
  const log: string[] = [];
  await source.normalise(files, {
    dir,
    tallyOf: ({ id }) => tallies.get(id)!,
    log: (line) => log.push(line),
    reserved: RESERVED,
  });
  const folder = source.files[0]!.folder;
  const tally = (name: string): Tally => tallies.get(`${folder}/${name}`)!;
  const rejections = (name: string): string[] =>
    Object.entries(tally(name).rejections)
      .flatMap(([reason, { examples }]) => examples.map(({ position }) => `${reason}@${position}`))
      .sort();
  return { dir, tally, rejections, log };
}

/** Writes files with the given contents by name, and normalises them. */
export async function tryContents(
  t: Test,
  source: RoutingSource,
  contents: Readonly<Record<string, string | Buffer>>,
): Promise<SourceTrial> {
  const root = t.testdir({});
  return trySource(root, source, writeContents(root, source, contents));
}

/** Normalises the source's fixture files of these names. */
export async function tryFixtures(
  t: Test,
  source: RoutingSource,
  names: readonly string[],
): Promise<SourceTrial> {
  const folder = join(PROJECT_ROOT, 'fixtures/feeds', source.files[0]!.folder);
  return trySource(
    t.testdir({}),
    source,
    names.map((name) => openFileAt(join(folder, name), 'plain')),
  );
}

/** Returns `refusal id` of every refused file; none if the trial succeeds. */
export async function refusalsOf(trial: Promise<unknown>): Promise<string[]> {
  try {
    await trial;
    return [];
  } catch (error) {
    const refused = error instanceof RefusedFiles ? error.refusals : [error];
    return refused.map((one) => {
      if (one instanceof FeedError) return `${one.refusal} ${one.file}`;
      throw one;
    });
  }
}

/**
 * Normalises a file truncated at every byte (or every `step`-th). Returns the lengths at which it was neither refused
 * nor gave the result of the whole file, as returned by `read`. There should be none.
 */
export async function cutsThatPass(
  t: Test,
  source: RoutingSource,
  { name, whole, step = 1, read }: Cut,
): Promise<number[]> {
  const root = t.testdir({});
  const readCut = async (length: number): Promise<unknown> =>
    read(await trySource(root, source, writeContents(root, source, { [name]: whole.subarray(0, length) })));
  const expected = JSON.stringify(await readCut(whole.length));
  const passed: number[] = [];
  for (let length = 0; length < whole.length; length += step) {
    try {
      if (JSON.stringify(await readCut(length)) !== expected) passed.push(length);
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
    }
  }
  return passed;
}

interface Cut {
  readonly name: string;
  readonly whole: Buffer;
  readonly step?: number;
  readonly read: (trial: SourceTrial) => unknown;
}

/** Writes files with the given contents by name into a folder of the source. */
export function writeContents(
  root: string,
  source: RoutingSource,
  contents: Readonly<Record<string, string | Buffer>>,
): OpenFile[] {
  return Object.entries(contents).map(([name, content]) => {
    const path = join(root, source.files[0]!.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return openFileAt(path, source.files[0]!.container);
  });
}
