import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Tally } from '../feeds/tally.js';
import { sha256File, type FileDigest } from '../release/digest.js';
import { absentIfMissing } from '../release/missing.js';
import { fileNames } from '../release/verify-release.js';

const count = z.int().nonnegative();

/** What became of the rows of one file, as it is kept beside what was read of it. */
const tallySchema = z.strictObject({
  rows: count,
  accepted: count,
  rejected: count,
  rejections: z.record(
    z.string(),
    z.strictObject({ count, examples: z.array(z.strictObject({ position: count, excerpt: z.string() })) }),
  ),
  notes: z.record(z.string(), count),
  /** Not looked at, though there is something in it. */
  unread: z.literal(true).exactOptional(),
});

const summarySchema = z.strictObject({
  /** By file id. */
  tallies: z.record(z.string(), tallySchema),
  /** Networks of the prefix table; absent where there is none. */
  networks: count.exactOptional(),
  /** What was written, by name: a file that is another by now has been damaged. */
  files: z.record(z.string(), z.strictObject({ sizeBytes: count, sha256: z.string() })),
});

export type FileTally = Readonly<z.infer<typeof tallySchema>>;
/** By file id. */
export type FileTallies = Readonly<Record<string, FileTally>>;

/** What was read of some files, in a folder of the cache, and what became of their rows. */
export interface KeptReading {
  readonly dir: string;
  readonly tallies: FileTallies;
  readonly networks?: number;
}

/** What a reading tells about itself when its files are written. */
export interface ReadingSummary extends Omit<KeptReading, 'dir'> {
  /** Digests of files that are known already; the others are read for theirs. */
  readonly digests?: Readonly<Record<string, FileDigest>>;
}

/**
 * What is kept in a folder; absent when it was never finished. Damaged files are told and thrown away with all the
 * others, and are absent then.
 */
export async function readKept(dir: string, log: (line: string) => void): Promise<KeptReading | undefined> {
  const json = await absentIfMissing(readFile(join(dir, SUMMARY), 'utf8'));
  if (json === undefined) return undefined;
  const summary = parseSummary(json);
  if (summary && (await areWhole(dir, summary.files))) {
    const { tallies, networks } = summary;
    return { dir, tallies, ...(networks !== undefined && { networks }) };
  }
  log('what an earlier run has kept of it is damaged: it is thrown away and made again');
  await rm(dir, { recursive: true, force: true });
  return undefined;
}

/** Lets `write` fill an empty folder, and puts that into `dir`, whole or not at all. Throws what `write` throws. */
export async function keepReading(
  dir: string,
  write: (dir: string) => Promise<ReadingSummary>,
): Promise<KeptReading> {
  // Workers of several machines may share the folder: a process id is not theirs alone.
  const beside = `${dir}.tmp-${randomUUID()}`;
  try {
    await mkdir(beside, { recursive: true });
    const { tallies, networks, digests } = await write(beside);
    const told = { tallies, ...(networks !== undefined && { networks }) };
    const files = await digestsOf(beside, digests ?? {});
    await writeFile(join(beside, SUMMARY), JSON.stringify({ ...told, files }, null, 2), { flush: true });
    await rm(dir, { recursive: true, force: true });
    await rename(beside, dir);
    return { dir, ...told };
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** Tallies as plain JSON, their derived counts written out. */
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

function parseSummary(json: string): z.infer<typeof summarySchema> | undefined {
  try {
    return summarySchema.safeParse(JSON.parse(json)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function areWhole(dir: string, files: Readonly<Record<string, FileDigest>>): Promise<boolean> {
  for (const [name, { sha256 }] of Object.entries(files)) {
    const found = await absentIfMissing(sha256File(join(dir, name)));
    if (found?.sha256 !== sha256) return false;
  }
  return true;
}

async function digestsOf(
  dir: string,
  known: Readonly<Record<string, FileDigest>>,
): Promise<Record<string, FileDigest>> {
  const digests: Record<string, FileDigest> = {};
  for (const name of await fileNames(dir)) {
    const { sizeBytes, sha256 } = known[name] ?? (await sha256File(join(dir, name)));
    digests[name] = { sizeBytes, sha256 };
  }
  return digests;
}
