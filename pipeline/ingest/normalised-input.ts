import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Tally } from '../input/tally.js';
import type { FileDigest } from '../release/digest.js';
import { absentIfMissing } from '../release/missing.js';
import type { KeptFolder } from '../store/kept-folder.js';
import { areWhole, digestsOf } from './whole-files.js';
import { parseJson } from '../text/parse-json.js';

const count = z.int().nonnegative();

/** Row counts of one file, stored beside its normalised content. */
const tallySchema = z.strictObject({
  rows: count,
  accepted: count,
  rejected: count,
  rejections: z.record(
    z.string(),
    z.strictObject({ count, examples: z.array(z.strictObject({ position: count, excerpt: z.string() })) }),
  ),
  notes: z.record(z.string(), count),
  /** The file was not read although it is not empty. */
  unread: z.literal(true).exactOptional(),
});

const summarySchema = z.strictObject({
  /** By file id. */
  tallies: z.record(z.string(), tallySchema),
  /** Networks of the prefix table; absent without one. */
  networks: count.exactOptional(),
  /** Digests of the written files by name, to detect damage. */
  files: z.record(z.string(), z.strictObject({ sizeBytes: count, sha256: z.string() })),
});

export type FileTally = Readonly<z.infer<typeof tallySchema>>;
/** By file id. */
export type FileTallies = Readonly<Record<string, FileTally>>;

/** The normalised content of some files in a folder of the cache, and their row counts. */
export interface NormalisedInput {
  readonly dir: string;
  readonly tallies: FileTallies;
  readonly networks?: number;
}

/** Summary that a writer returns when its files are complete. */
export interface NormalisedSummary extends Omit<NormalisedInput, 'dir'> {
  /** Digests that are known already. The other files are read to compute theirs. */
  readonly digests?: Readonly<Record<string, FileDigest>>;
}

/**
 * Returns the normalised input in a folder, or undefined if it was never completed. If a file is damaged, logs it,
 * removes the folder from this machine, and uses the copy in the store if there is one.
 */
export async function readNormalised(
  folder: KeptFolder,
  log: (line: string) => void,
): Promise<NormalisedInput | undefined> {
  for (let reading = 0; reading < READINGS; reading++) {
    if (!(await folder.find())) return undefined;
    const found = await readSummary(folder.dir);
    if (found) {
      await folder.share(found.files);
      const { tallies, networks } = found;
      return { dir: folder.dir, tallies, ...(networks !== undefined && { networks }) };
    }
    log('the cached input of an earlier run is damaged: it is removed and read again');
    await folder.discard();
  }
  return undefined;
}

/** The copy on this machine, and the copy in the store. */
const READINGS = 2;

/**
 * Calls `write` with an empty folder and moves it to its place, complete or not at all. Throws what `write` throws.
 */
export async function writeNormalised(
  folder: KeptFolder,
  write: (dir: string) => Promise<NormalisedSummary>,
): Promise<NormalisedInput> {
  let summary: Omit<NormalisedInput, 'dir'> | undefined;
  await folder.write(async (beside) => {
    const { tallies, networks, digests } = await write(beside);
    summary = { tallies, ...(networks !== undefined && { networks }) };
    const files = await digestsOf(beside, digests ?? {});
    await writeFile(join(beside, SUMMARY), JSON.stringify({ ...summary, files }, null, 2), { flush: true });
    return files;
  });
  return { dir: folder.dir, ...summary! };
}

/** Returns tallies as plain JSON with their derived counts. */
export function plainTallies(
  tallies: Iterable<readonly [fileId: string, tally: Tally]>,
  unread: ReadonlySet<string> = new Set(),
): FileTallies {
  const plain = [...tallies].map(([id, { rows, accepted, rejected, rejections, notes }]) => {
    const tally = { rows, accepted, rejected, rejections, notes };
    return [id, unread.has(id) ? { ...tally, unread: true } : tally] as const;
  });
  return Object.fromEntries(plain) as FileTallies;
}

const SUMMARY = 'summary.json';

/** Returns the summary of a whole folder; undefined if the summary or a file is missing or damaged. */
async function readSummary(dir: string): Promise<z.infer<typeof summarySchema> | undefined> {
  const json = await absentIfMissing(readFile(join(dir, SUMMARY), 'utf8'));
  const summary = json === undefined ? undefined : summarySchema.safeParse(parseJson(json)).data;
  return summary && (await areWhole(dir, summary.files)) ? summary : undefined;
}
