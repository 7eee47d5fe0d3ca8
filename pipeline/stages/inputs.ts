import type { FeedFile, OpenFile } from '../feeds/feed.js';
import { matchesName } from '../feeds/name-pattern.js';
import type { Manifest, ManifestInputFile } from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import { lastRelease } from '../release/last-release.js';
import type { Tally } from '../feeds/tally.js';
import type { LastGoodFile } from './file-choice.js';
import type { FileStore } from './file-store.js';
import type { BuildSettings } from './settings.js';
import type { SnapshotFile } from './snapshot.js';

/**
 * The release that last good copies come from; absent before the first. One made of fixtures is none for other builds:
 * their files stand for no publisher's.
 */
export async function lastGoodRelease({ outputDir, source }: BuildSettings): Promise<Manifest | undefined> {
  const last = (await lastRelease(outputDir)).release?.manifest;
  return last?.source === 'fixtures' && source !== 'fixtures' ? undefined : last;
}

/**
 * The files of a source as the last release read them, as far as their content is still kept. The last release is
 * what was good: nothing else remembers it.
 */
export async function lastGoodFiles(
  last: Manifest | undefined,
  source: string,
  { patterns, store }: { readonly patterns: readonly FeedFile[]; readonly store: FileStore },
): Promise<LastGoodFile[]> {
  const found: LastGoodFile[] = [];
  for (const file of last?.inputs.find((input) => input.feed === source)?.files ?? []) {
    const folder = file.id.slice(0, file.id.indexOf('/'));
    const name = file.id.slice(folder.length + 1);
    const pattern = patterns.findIndex((one) => one.folder === folder && matchesName(one.name, name));
    if (pattern < 0 || !(await store.holds(file))) continue;
    const { id, sha256, sizeBytes, rows } = file;
    const isWhole = (): Promise<boolean> => store.isWhole(file);
    found.push({ id, folder, name, pattern, sha256, sizeBytes, ...datesOf(file), rows, isWhole });
  }
  return found;
}

/** A file of a snapshot as readers take it. */
export function openFile(
  file: SnapshotFile,
  patterns: readonly FeedFile[],
  store: FileStore,
  onRead: (bytes: number) => void,
): OpenFile {
  const { id, folder, name, sizeBytes, sha256 } = file;
  const container = patterns[file.pattern]!.container;
  return { id, folder, name, container, path: store.pathOf(sha256), sizeBytes, onRead };
}

/** The key of what a version of the code makes of these files, whatever order they were found in. */
export function keyOfFiles(kind: string, files: readonly Pick<SnapshotFile, 'id' | 'sha256'>[]): string {
  const lines = files.map((file) => `${file.id} ${file.sha256}`).sort();
  return sha256Text([kind, ...lines].join('\n'));
}

/** A file and what became of its rows, as the manifest tells it. */
export function manifestFile(
  file: SnapshotFile,
  tally: Pick<Tally, 'rows' | 'accepted' | 'rejected' | 'rejections' | 'notes'>,
  lastGood: boolean,
): ManifestInputFile {
  const { id, sha256, sizeBytes } = file;
  const { rows, accepted, rejected, rejections, notes } = tally;
  return { id, sha256, sizeBytes, ...datesOf(file), lastGood, rows, accepted, rejected, rejections, notes };
}

function datesOf({ modified, confirmed }: Pick<SnapshotFile, 'modified' | 'confirmed'>): {
  modified: string;
  confirmed?: string;
} {
  return { modified, ...(confirmed !== undefined && { confirmed }) };
}
