import { FeedError, RefusedFiles } from '../input/feed-error.js';
import type { OpenFile } from '../input/published-source.js';
import type { RoutingSource, NormaliseContext } from '../input/routing-source.js';
import { composeRib } from './compose-rib.js';
import { chooseDumps, datedDump, type ChosenDumps, type DatedDump } from './newest-dumps.js';
import { readDump, readDumpTime } from './read-dump.js';
import { saveRib, type Rib } from './rib.js';
import { RIB_FILES } from './rib-files.js';
import { Numbering, RouteColumns } from './route-columns.js';

/**
 * The routing tables of route collectors, as MRT dumps (RFC 6396) by RIPE RIS and RouteViews. A row is one MRT record.
 * Only the newest dump of each collector is read.
 */
export const RIB: RoutingSource = {
  id: 'rib',
  publisher: 'RIPE NCC (RIS) and University of Oregon (RouteViews)',
  licence: {
    name: 'RIS: free with attribution; RouteViews: CC BY 4.0',
    url: 'https://www.routeviews.org/routeviews/',
    attribution:
      'Routing data of the RIPE NCC Routing Information Service (https://ris.ripe.net) and of University of Oregon RouteViews (https://www.routeviews.org, CC BY 4.0)',
    terms: 'free',
  },
  files: RIB_FILES,
  cadence: 'every 8 hours (RIS), every 2 hours (RouteViews)',
  version: 1,
  tolerance: 0.001,
  normalise: async (files, reading) => {
    saveRib(reading.dir, await readRib(files, reading));
  },
};

/**
 * Reads the newest dump of every collector. Equal files give equal columns. Throws FeedError if a dump is unusable, or
 * RefusedFiles if several are; all dumps are read before it throws.
 */
export async function readRib(
  files: readonly OpenFile[],
  { tallyOf, log, now }: Pick<NormaliseContext, 'tallyOf' | 'log' | 'now'>,
): Promise<Rib> {
  const refusals: FeedError[] = [];
  files.forEach((file) => tallyOf(file));
  const dumps = await datedDumps(files.toSorted(byId), refusals);
  const chosen = chooseDumps(dumps, now);
  refusals.push(...chosen.stale);
  logUnread(chosen, log);
  const numbering = numberingFor(chosen.newest);
  const columns = chosen.newest.map(({ file }) => {
    return new RouteColumns(numbering, Math.ceil(file.sizeBytes / BYTES_PER_ROUTE));
  });
  await sideBySide(chosen.newest, async ({ file }, i) => {
    await collectRefusal(refusals, () =>
      readDump(file, columns[i]!, { tally: tallyOf(file), tolerance: RIB.tolerance }),
    );
  });
  throwRefusals(refusals);
  const names = [...new Set(chosen.newest.map(({ collector }) => collector))];
  const times = names.map((name) => chosen.newest.find(({ collector }) => collector === name)!.time);
  const read = chosen.newest.map(({ file, collector }, i) => {
    return { routes: columns[i]!, tally: tallyOf(file), collector: names.indexOf(collector) };
  });
  return composeRib(read, numbering, { names, times: Float64Array.from(times) });
}

/**
 * Estimated compressed bytes per route, path and prefix, to size columns without copying them later. The system
 * allocates memory only when it is used, so overestimates cost little.
 */
const BYTES_PER_ROUTE = 8;
const BYTES_PER_PATH = 64;
const BYTES_PER_PREFIX = 256;
/** Upper limits of the estimates; more collectors add few new prefixes and paths. */
const MOST_PREFIXES = 1 << 21;
const MOST_PATHS = 1 << 23;

function numberingFor(dumps: readonly DatedDump[]): Numbering {
  const packedBytes = dumps.reduce((sum, { file }) => sum + file.sizeBytes, 0);
  return new Numbering({
    prefixes: Math.min(MOST_PREFIXES, Math.ceil(packedBytes / BYTES_PER_PREFIX)),
    paths: Math.min(MOST_PATHS, Math.ceil(packedBytes / BYTES_PER_PATH)),
  });
}

function byId(a: OpenFile, b: OpenFile): number {
  return a.id < b.id ? -1 : 1;
}

async function datedDumps(files: readonly OpenFile[], refusals: FeedError[]): Promise<DatedDump[]> {
  const times: (number | undefined)[] = [];
  await sideBySide(files, async (file, i) => {
    times[i] = await collectRefusal(refusals, () => readDumpTime(file));
  });
  return files.flatMap((file, i) => {
    const time = times[i];
    return time === undefined ? [] : [datedDump(file, time)];
  });
}

function logUnread({ newest, older }: ChosenDumps, log: (line: string) => void): void {
  for (const { file, collector } of older) {
    const newer = newest.find((dump) => dump.collector === collector);
    log(`${file.id} skipped: ${newer?.file.id ?? `another dump of ${collector}`} is newer`);
  }
}

/**
 * The number of dumps read at a time. Each is decompressed in another process or thread; this thread reads them all.
 */
const DUMPS_AT_A_TIME = 2;

async function sideBySide<T>(
  dumps: readonly T[],
  read: (dump: T, position: number) => Promise<void>,
): Promise<void> {
  const left = dumps.entries();
  const readSome = async (): Promise<void> => {
    for (const [position, dump] of left) await read(dump, position);
  };
  await Promise.all(Array.from({ length: DUMPS_AT_A_TIME }, readSome));
}

/** Returns the result of `read`. Adds a FeedError to `refusals` instead of throwing it. */
async function collectRefusal<T>(refusals: FeedError[], read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    refusals.push(error);
    return undefined;
  }
}

function throwRefusals(refusals: readonly FeedError[]): void {
  const [first, ...others] = refusals.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  if (first && others.length > 0) throw new RefusedFiles([first, ...others]);
  if (first) throw first;
}
