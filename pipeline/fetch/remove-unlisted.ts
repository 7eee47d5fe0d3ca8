import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { absentIfMissing } from '../release/missing.js';
import type { PlannedDownload } from './download-plan.js';
import { readState, stateFolder } from './download-state.js';

/** Downloads of a folder that a list names. */
export interface ListedDownloads {
  readonly folder: string;
  /** Prefix of the keys of all such downloads. */
  readonly prefix: string;
  /** The currently listed downloads. */
  readonly listed: readonly PlannedDownload[];
}

/** Removes downloaded files that are no longer listed. Files added by hand stay. */
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
