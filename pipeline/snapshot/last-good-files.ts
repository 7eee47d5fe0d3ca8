import type { PublishedFile } from '../input/published-source.js';
import { matchesName } from '../input/name-pattern.js';
import type { Manifest } from '../release/contract.js';
import type { LastGoodFile } from './file-choice.js';
import type { FileStore } from '../store/file-store.js';
import { lastReleaseOf } from '../stage/last-release.js';
import type { StageContext } from '../stage/stage.js';
import { datesOf } from './input-file.js';

/**
 * Returns the release that last good copies come from, or undefined before the first release. A release built from the
 * bundled samples is never used by other builds: its files are not the publishers' files.
 */
export async function lastGoodRelease(
  context: Pick<StageContext, 'settings' | 'remote'>,
): Promise<Manifest | undefined> {
  const { source } = context.settings;
  const last = (await lastReleaseOf(context)).release?.manifest;
  return last?.source === 'fixtures' && source !== 'fixtures' ? undefined : last;
}

/**
 * Returns the input files of a source in the last release, as far as their content is still stored. The manifest of the
 * last release is the only record of what was good.
 */
export async function lastGoodFiles(
  last: Manifest | undefined,
  source: string,
  { patterns, store }: { readonly patterns: readonly PublishedFile[]; readonly store: FileStore },
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
