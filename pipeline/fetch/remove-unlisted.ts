import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { absentIfMissing } from '../release/missing.js';
import type { PlannedDownload } from './download-plan.js';
import { readState, stateFolder } from './download-state.js';

/** Downloads of a folder that come and go with a list. */
export interface ListedDownloads {
  readonly folder: string;
  /** What the keys of all of them begin with. */
  readonly prefix: string;
  /** Those that are listed now. */
  readonly listed: readonly PlannedDownload[];
}

/** Removes files that were downloaded once and are no longer listed; those put there by hand stay. */
export async function removeUnlisted(
  dir: string,
  { folder, prefix, listed }: ListedDownloads,
): Promise<void> {
  const states = stateFolder(dir, folder);
  const keys = new Set(listed.map(({ key }) => key));
  for (const entry of (await absentIfMissing(readdir(states))) ?? []) {
    const key = entry.replace(/\.(json|part)$/, '');
    if (!key.startsWith(prefix) || key === entry || keys.has(key)) continue;
    const { copy } = entry.endsWith('.json') ? await readState(join(states, entry)) : {};
    if (copy) await rm(join(dir, folder, copy.name), { force: true });
    await rm(join(states, entry), { force: true });
  }
}
