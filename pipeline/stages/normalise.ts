import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LayeredClaims, type ClaimedNetworks } from '../feeds/claim-sink.js';
import { writeClaims } from '../feeds/claim-file.js';
import type { Feed, OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import { sha256File } from '../release/digest.js';
import { absentIfMissing } from '../release/missing.js';
import { parseSpecialPurposeRegistry, type SpecialPurposeRange } from '../net/special-purpose.js';
import { reservedSpace } from '../table/reserved-space.js';
import { Tally } from '../feeds/tally.js';
import { REGISTRY_FOLDER } from './sources.js';

const count = z.int().nonnegative();

/** What became of the rows of one file, as it is kept beside a normalised table. */
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
  networks: count,
  /** What was written: a table that is another by now has been damaged. */
  table: z.strictObject({ sizeBytes: count, sha256: z.string() }),
  /** By file id. */
  tallies: z.record(z.string(), tallySchema),
});

export type FileTally = Readonly<z.infer<typeof tallySchema>>;
/** By file id. */
export type FileTallies = Readonly<Record<string, FileTally>>;

/** A normalised table on disk and what became of the rows it was read from. */
export interface NormalisedFeed extends z.infer<typeof summarySchema> {
  readonly tablePath: string;
}

/** Name of the table inside its folder. */
const TABLE = 'table.mmdb';
const SUMMARY = 'summary.json';

/**
 * The normalised table kept in a folder; absent when it was never finished. A damaged one is told and thrown away, and
 * is absent then.
 */
export async function readNormalised(
  dir: string,
  log: (line: string) => void,
): Promise<NormalisedFeed | undefined> {
  const json = await absentIfMissing(readFile(join(dir, SUMMARY), 'utf8'));
  if (json === undefined) return undefined;
  const tablePath = join(dir, TABLE);
  const summary = parseSummary(json);
  const found = summary && (await absentIfMissing(sha256File(tablePath)));
  if (found && found.sha256 === summary.table.sha256) return { ...summary, tablePath };
  log('its table of an earlier run is damaged: it is thrown away and made again');
  await rm(dir, { recursive: true, force: true });
  return undefined;
}

function parseSummary(json: string): z.infer<typeof summarySchema> | undefined {
  try {
    return summarySchema.safeParse(JSON.parse(json)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** How far a reading is. */
export interface ReadingProgress {
  readonly bytesDone: number;
  readonly rows: number;
  readonly rejected: number;
}

/** What to read: a feed, its files, and the folder the table goes to. */
export interface Reading {
  readonly feed: Feed;
  readonly open: (onRead: (bytes: number) => void) => readonly OpenFile[];
  readonly dir: string;
  /** Called when all rows are read; what it throws leaves no table behind. */
  readonly judge: (tallies: FileTallies) => void;
  readonly onProgress: (progress: ReadingProgress) => void;
}

/**
 * Reads a feed's files into its normalised table and puts it into `dir`, whole or not at all. Throws FeedError for a
 * file that cannot be used, and what `judge` throws.
 */
export async function normalise({ feed, open, dir, judge, onProgress }: Reading): Promise<NormalisedFeed> {
  let bytesDone = 0;
  let onRead = (bytes: number): void => {
    bytesDone += bytes;
  };
  const opened = open((bytes) => {
    onRead(bytes);
  });
  const begun = new Set<string>();
  const files = opened.map((file) => ({ ...file, onRead: noting(file, begun) }));
  const registries = await readRegistries(files);
  const claims = new LayeredClaims(
    feed.layers.length,
    reservedSpace(registries.flatMap(({ ranges }) => ranges)),
    { foldMapped: feed.foldMapped ?? false },
  );
  onRead = (bytes) => {
    bytesDone += bytes;
    onProgress({ bytesDone, ...sumOf(claims.tallies) });
  };
  const rest = files.filter((file) => file.folder !== REGISTRY_FOLDER);
  await feed.read(rest, (file) => claims.sinkFor(file));
  onProgress({ bytesDone, ...sumOf(claims.tallies) });
  const read = [...registries.map(({ file, tally }) => [file.id, tally] as const), ...claims.tallies];
  const unread = new Set(
    files.filter(({ id, sizeBytes }) => sizeBytes > 0 && !begun.has(id)).map(({ id }) => id),
  );
  const tallies = Object.fromEntries(read.map(([id, tally]) => [id, plain(tally, unread.has(id))]));
  judge(tallies);
  const networks = claims.finish((said) => feed.combine(said));
  return keep(dir, feed, networks, tallies);
}

function noting({ id, onRead }: OpenFile, begun: Set<string>): OpenFile['onRead'] {
  return (bytes) => {
    begun.add(id);
    onRead(bytes);
  };
}

async function keep(
  dir: string,
  feed: Feed,
  networks: ClaimedNetworks,
  tallies: Record<string, FileTally>,
): Promise<NormalisedFeed> {
  // Workers of several machines may share the folder: a process id is not theirs alone.
  const beside = `${dir}.tmp-${randomUUID()}`;
  try {
    await mkdir(beside, { recursive: true });
    const { sizeBytes, sha256 } = writeClaims(join(beside, TABLE), feed.id, networks);
    const summary = {
      networks: networks.table.networkCount(),
      table: { sizeBytes, sha256 },
      tallies,
    };
    await writeFile(join(beside, SUMMARY), JSON.stringify(summary, null, 2), { flush: true });
    await rm(dir, { recursive: true, force: true });
    await rename(beside, dir);
    return { ...summary, tablePath: join(dir, TABLE) };
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

interface ReadRegistry {
  readonly file: OpenFile;
  readonly ranges: readonly SpecialPurposeRange[];
  readonly tally: Tally;
}

/** The IANA registries among the files. */
async function readRegistries(files: readonly OpenFile[]): Promise<ReadRegistry[]> {
  const registries = files.filter((file) => file.folder === REGISTRY_FOLDER);
  return Promise.all(
    registries.map(async (file) => {
      const xml = await readFile(file.path, 'utf8');
      file.onRead(file.sizeBytes);
      try {
        const ranges = parseSpecialPurposeRegistry(xml);
        const tally = new Tally();
        ranges.forEach(() => {
          tally.accept();
        });
        return { file, ranges, tally };
      } catch (error) {
        throw new FeedError('header', file.id, error instanceof Error ? error.message : String(error), {
          cause: error,
        });
      }
    }),
  );
}

function sumOf(tallies: ReadonlyMap<string, Tally>): { rows: number; rejected: number } {
  let rows = 0;
  let rejected = 0;
  for (const tally of tallies.values()) {
    rows += tally.rows;
    rejected += tally.rejected;
  }
  return { rows, rejected };
}

/** A tally as plain JSON, its derived counts written out. */
function plain({ rows, accepted, rejected, rejections, notes }: Tally, isUnread: boolean): FileTally {
  return { rows, accepted, rejected, rejections, notes, ...(isUnread && { unread: true }) };
}
