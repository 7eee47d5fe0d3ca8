import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { TERMS, type Terms } from '../feeds/feed.js';
import type { OpenFile } from '../feeds/feed.js';
import { composeGazetteer } from '../gazetteer/compose-gazetteer.js';
import { toJson } from '../gazetteer/gazetteer-json.js';
import { readSources } from '../gazetteer/read-gazetteer.js';
import { inputFileSchema } from '../release/contract.js';
import { sha256File, sha256Text } from '../release/digest.js';
import { absentIfMissing } from '../release/missing.js';
import { EDITIONS, gazetteerEdition, type EditionName } from './cache-places.js';

/** The licences of what an edition is made of: the open one goes into files that others download. */
export const TERMS_OF_EDITION: Readonly<Record<EditionName, ReadonlySet<Terms>>> = {
  full: new Set(TERMS),
  open: new Set(['free']),
};

const countsSchema = inputFileSchema.pick({
  rows: true,
  accepted: true,
  rejected: true,
  rejections: true,
  notes: true,
});

const summarySchema = z.strictObject({
  /** What became of the rows, by file id. */
  tallies: z.record(z.string(), countsSchema),
  /** sha256 of each edition. */
  digests: z.strictObject({ full: z.string(), open: z.string() }),
});
export type GazetteerSummary = z.infer<typeof summarySchema>;

/** The editions kept in a folder; absent when they were never finished, or have been damaged since. */
export async function readKeptEditions(
  dir: string,
  log: (line: string) => void,
): Promise<GazetteerSummary | undefined> {
  const json = await absentIfMissing(readFile(join(dir, SUMMARY), 'utf8'));
  if (json === undefined) return undefined;
  const summary = parseSummary(json);
  if (summary && (await areWhole(dir, summary))) return summary;
  log('the gazetteer of an earlier run has been damaged: it is made again');
  return undefined;
}

/** Makes both editions and puts them into `dir`, whole or not at all. Throws FeedError for a file that is unusable. */
export async function makeEditions(dir: string, files: readonly OpenFile[]): Promise<GazetteerSummary> {
  const { rows, tallies } = await readSources(files);
  const beside = `${dir}.tmp-${randomUUID()}`;
  try {
    await mkdir(beside, { recursive: true });
    const digests = { full: '', open: '' };
    for (const edition of EDITIONS) {
      const json = toJson(composeGazetteer(rows, TERMS_OF_EDITION[edition]));
      await writeFile(gazetteerEdition(beside, edition), json, { flush: true });
      digests[edition] = sha256Text(json);
    }
    const summary = { tallies: plain(tallies), digests };
    await writeFile(join(beside, SUMMARY), JSON.stringify(summary), { flush: true });
    await rm(dir, { recursive: true, force: true });
    await rename(beside, dir);
    return summary;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

const SUMMARY = 'summary.json';

function parseSummary(json: string): GazetteerSummary | undefined {
  try {
    return summarySchema.parse(JSON.parse(json));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

async function areWhole(dir: string, { digests }: GazetteerSummary): Promise<boolean> {
  for (const edition of EDITIONS) {
    const found = await absentIfMissing(sha256File(gazetteerEdition(dir, edition)));
    if (found?.sha256 !== digests[edition]) return false;
  }
  return true;
}

type Counts = GazetteerSummary['tallies'];

/** Tallies as plain JSON, their derived counts written out. */
function plain(tallies: Readonly<Counts>): Counts {
  return Object.fromEntries(
    Object.entries(tallies).map(([id, { rows, accepted, rejected, rejections, notes }]) => {
      return [id, { rows, accepted, rejected, rejections, notes }];
    }),
  );
}
