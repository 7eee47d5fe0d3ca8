import { FeedError, RefusedFiles } from '../feeds/feed-error.js';
import type { OpenFile } from '../feeds/feed.js';
import type { Source, SourceReading } from '../feeds/source.js';
import { composeRib } from './compose-rib.js';
import { chooseDumps, datedDump, type ChosenDumps, type DatedDump } from './newest-dumps.js';
import { readDump, readDumpTime } from './read-dump.js';
import { saveRib, type Rib } from './rib.js';
import { RIB_FILES } from './rib-files.js';
import { Numbering, RouteColumns } from './route-columns.js';

/**
 * Routing tables of route collectors as MRT dumps (RFC 6396): RIPE RIS and RouteViews. A row is one MRT record. Of
 * each collector the newest dump is read.
 */
export const RIB: Source = {
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
 * Reads the newest dump of every collector. Equal files give equal columns. Throws FeedError for a dump that cannot be
 * used, RefusedFiles for several: all are read first, so that one reading tells them all.
 */
export async function readRib(
  files: readonly OpenFile[],
  { tallyOf, log, now }: Pick<SourceReading, 'tallyOf' | 'log' | 'now'>,
): Promise<Rib> {
  const refusals: FeedError[] = [];
  files.forEach((file) => tallyOf(file));
  const dumps = await datedDumps(files.toSorted(byId), refusals);
  const chosen = chooseDumps(dumps, now);
  refusals.push(...chosen.stale);
  tellUnread(chosen, log);
  const numbering = numberingFor(chosen.newest);
  const columns = chosen.newest.map(({ file }) => {
    return new RouteColumns(numbering, Math.ceil(file.sizeBytes / BYTES_PER_ROUTE));
  });
  await sideBySide(chosen.newest, async ({ file }, i) => {
    await refusing(refusals, () =>
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

/** Of a packed dump, about: what has no room for more must be copied. The system gives memory only as it is used. */
const BYTES_PER_ROUTE = 8;
const BYTES_PER_PATH = 64;
const BYTES_PER_PREFIX = 256;
/** Expected at once, whatever the number of collectors. */
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
    times[i] = await refusing(refusals, () => readDumpTime(file));
  });
  return files.flatMap((file, i) => {
    const time = times[i];
    return time === undefined ? [] : [datedDump(file, time)];
  });
}

function tellUnread({ newest, older }: ChosenDumps, log: (line: string) => void): void {
  for (const { file, collector } of older) {
    const newer = newest.find((dump) => dump.collector === collector);
    log(`${file.id} is left unread: ${newer?.file.id ?? 'another dump of its collector'} is newer`);
  }
}

/** At a time: another process or thread unpacks each, and one thread reads what comes. */
const DUMPS_AT_A_TIME = 2;

async function sideBySide<T>(
  these: readonly T[],
  read: (one: T, position: number) => Promise<void>,
): Promise<void> {
  const left = these.entries();
  const readSome = async (): Promise<void> => {
    for (const [position, one] of left) await read(one, position);
  };
  await Promise.all(Array.from({ length: DUMPS_AT_A_TIME }, readSome));
}

/** What `read` gives; a FeedError is put to the refusals instead of being thrown. */
async function refusing<T>(refusals: FeedError[], read: () => Promise<T>): Promise<T | undefined> {
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
