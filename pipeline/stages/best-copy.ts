import type { FeedFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import type { ManifestRefusal } from '../release/contract.js';
import type { NotFetched, SnapshotFile } from './snapshot.js';
import { REGISTRY_FOLDER } from './sources.js';

/** A file of the last release's inputs, for when tonight's is refused. */
export interface LastGoodFile extends SnapshotFile {
  /** Rows it was read as, to notice a snapshot that shrank. */
  readonly rows: number;
}

/** What was read, and what had to be replaced or left out for it. */
export interface BestCopy<T> {
  readonly result: T;
  readonly files: readonly SnapshotFile[];
  /** Ids of the files that are last good copies. */
  readonly lastGood: ReadonlySet<string>;
}

/** What to read and where to turn when it is refused. */
export interface Snapshots {
  readonly patterns: readonly FeedFile[];
  readonly tonight: readonly SnapshotFile[];
  readonly lastGood: readonly LastGoodFile[];
  /** Files that could not be downloaded tonight: told as refusals, an earlier night's is taken instead. */
  readonly notFetched?: readonly NotFetched[];
}

/**
 * Reads tonight's files; each one that is refused (FeedError) gives way to its last good copy, or is left out, and
 * everything is read again. A source without any file gives way as a whole. Refusals are added to `refusals`. Absent
 * when a required file is neither good tonight nor kept, or when nothing of the source is left to read.
 */
export async function readBestCopy<T>(
  { patterns, tonight, lastGood, notFetched = [] }: Snapshots,
  refusals: ManifestRefusal[],
  read: (files: readonly SnapshotFile[]) => Promise<T>,
): Promise<BestCopy<T> | undefined> {
  const replaced = new Set<string>();
  let files = [...tonight];
  const told = tellNotFetched(notFetched, { patterns, lastGood }, refusals);
  for (const [pattern, expected] of patterns.entries()) {
    if (!expected.required || files.some((file) => file.pattern === pattern)) continue;
    const kept = lastGood.filter((file) => file.pattern === pattern);
    if (!told.has(pattern)) {
      const name = `${expected.folder}/${expected.name}`;
      refusals.push(refusalOf('missing', name, 'no such file', kept.length > 0));
    }
    if (kept.length === 0) return undefined;
    files.push(...kept);
    for (const file of kept) replaced.add(file.id);
  }
  const own = patterns.find(isOwn);
  if (own && !files.some(isOwn)) {
    const kept = lastGood.filter(isOwn);
    refusals.push(refusalOf('missing', own.folder, 'none of its files is there', kept.length > 0));
    files.push(...kept);
    for (const file of kept) replaced.add(file.id);
  }
  while (files.some(isOwn)) {
    try {
      const result = await read(files);
      const stale = files.flatMap((file) => (file.stale === true ? [file.id] : []));
      return { result, files, lastGood: new Set([...replaced, ...stale]) };
    } catch (error) {
      const refused = error instanceof FeedError ? files.find((file) => file.id === error.file) : undefined;
      if (!(error instanceof FeedError) || !refused) throw error;
      const kept = replaced.has(refused.id) ? undefined : lastGoodOf(refused, patterns, lastGood);
      refusals.push(refusalOf(error.refusal, refused.id, error.found, kept !== undefined));
      files = files.filter((file) => file !== refused);
      if (kept) {
        files.push(kept);
        replaced.add(kept.id);
      } else if (
        patterns[refused.pattern]?.required &&
        !files.some((file) => file.pattern === refused.pattern)
      ) {
        return undefined;
      }
    }
  }
  return undefined;
}

/** Adds the refusals of files that could not be downloaded; the patterns they were to bring. */
function tellNotFetched(
  notFetched: readonly NotFetched[],
  { patterns, lastGood }: Pick<Snapshots, 'patterns' | 'lastGood'>,
  refusals: ManifestRefusal[],
): ReadonlySet<number> {
  const told = new Set<number>();
  for (const { file, refusal, found, patterns: missed, held } of notFetched) {
    // Of the last release only required files are taken.
    const isKept = ({ pattern }: LastGoodFile): boolean =>
      missed.includes(pattern) && patterns[pattern]?.required === true;
    refusals.push(refusalOf(refusal, file, found, held || lastGood.some(isKept)));
    for (const pattern of missed) told.add(pattern);
  }
  return told;
}

/** IANA's registries are read with every feed and belong to none. */
function isOwn({ folder }: { readonly folder: string }): boolean {
  return folder !== REGISTRY_FOLDER;
}

/** The last good copy of a file: the one of the same name, or of the same series where names carry dates. */
function lastGoodOf(
  file: SnapshotFile,
  patterns: readonly FeedFile[],
  lastGood: readonly LastGoodFile[],
): LastGoodFile | undefined {
  const isSeries = patterns[file.pattern]?.take === 'latest';
  return lastGood.find(
    (kept) =>
      kept.sha256 !== file.sha256 && (kept.id === file.id || (isSeries && kept.pattern === file.pattern)),
  );
}

function refusalOf(
  refusal: ManifestRefusal['refusal'],
  file: string,
  found: string,
  kept: boolean,
): ManifestRefusal {
  return { file, refusal, found, usedInstead: kept ? 'last good copy' : 'nothing' };
}
