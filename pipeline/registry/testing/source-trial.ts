import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { openFileAt, PROJECT_ROOT } from '../../../fixtures/open-file.js';
import type { OpenFile } from '../../feeds/feed.js';
import { FeedError, RefusedFiles } from '../../feeds/feed-error.js';
import type { Source } from '../../feeds/source.js';
import { Tally } from '../../feeds/tally.js';

/** What a source made of some files; for its tests. */
export interface SourceTrial {
  /** The folder with what it wrote. */
  readonly dir: string;
  /** The tally of a file by its name. */
  readonly tally: (name: string) => Tally;
  /** `reason@position` of every rejected row that was kept as an example, in alphabetic order. */
  readonly rejections: (name: string) => string[];
  readonly log: readonly string[];
}

/** Reads files with a source into a folder of its own below `root`. */
export async function trySource(
  root: string,
  source: Source,
  files: readonly OpenFile[],
): Promise<SourceTrial> {
  const dir = mkdtempSync(join(root, 'made-'));
  const tallies = new Map(files.map(({ id }) => [id, new Tally()]));
  const log: string[] = [];
  await source.normalise(files, {
    dir,
    tallyOf: ({ id }) => tallies.get(id)!,
    log: (line) => log.push(line),
  });
  const folder = source.files[0]!.folder;
  const tally = (name: string): Tally => tallies.get(`${folder}/${name}`)!;
  const rejections = (name: string): string[] =>
    Object.entries(tally(name).rejections)
      .flatMap(([reason, { examples }]) => examples.map(({ position }) => `${reason}@${position}`))
      .sort();
  return { dir, tally, rejections, log };
}

/** Writes files with these contents, by name, and reads them. */
export async function tryContents(
  t: Test,
  source: Source,
  contents: Readonly<Record<string, string | Buffer>>,
): Promise<SourceTrial> {
  const root = t.testdir({});
  return trySource(root, source, writeContents(root, source, contents));
}

/** Reads the source's own files of these names in the fixtures. */
export async function tryFixtures(t: Test, source: Source, names: readonly string[]): Promise<SourceTrial> {
  const folder = join(PROJECT_ROOT, 'fixtures/feeds', source.files[0]!.folder);
  return trySource(
    t.testdir({}),
    source,
    names.map((name) => openFileAt(join(folder, name), 'plain')),
  );
}

/** `refusal id` of every file that is refused; none when all went well. */
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
 * Reads a file cut behind every byte (or every `step`-th). Gives the lengths at which it was neither refused nor read
 * as the whole one, as `read` tells what was read: there must be none.
 */
export async function cutsThatPass(
  t: Test,
  source: Source,
  { name, whole, step = 1, read }: Cut,
): Promise<number[]> {
  const root = t.testdir({});
  const readCut = async (length: number): Promise<unknown> =>
    read(await trySource(root, source, writeContents(root, source, { [name]: whole.subarray(0, length) })));
  const wanted = JSON.stringify(await readCut(whole.length));
  const passed: number[] = [];
  for (let length = 0; length < whole.length; length += step) {
    try {
      if (JSON.stringify(await readCut(length)) !== wanted) passed.push(length);
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

function writeContents(
  root: string,
  source: Source,
  contents: Readonly<Record<string, string | Buffer>>,
): OpenFile[] {
  return Object.entries(contents).map(([name, content]) => {
    const path = join(root, source.files[0]!.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return openFileAt(path, 'plain');
  });
}
