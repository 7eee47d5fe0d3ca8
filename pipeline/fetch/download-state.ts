import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { fsyncPath } from '../release/durable.js';
import { absentIfMissing } from '../release/missing.js';
import type { PlannedDownload } from './download-plan.js';
import type { Failure } from './download-error.js';
import { parseJson } from '../text/parse-json.js';

const validators = {
  etag: z.string().exactOptional(),
  lastModified: z.string().exactOptional(),
};

const FAILURES = [
  'http',
  'throttled',
  'network',
  'timeout',
  'truncated',
  'redirects',
  'insecure',
  'container',
  'small',
  'large',
  'sha256',
  'md5',
  'name',
] as const satisfies readonly Failure[];

/** The outcome of the last request, reused within the same night. */
const outcomeSchema = z.union([
  z.strictObject({ outcome: z.enum(['downloaded', 'unchanged']), text: z.string() }),
  z.strictObject({ outcome: z.literal('failed'), failure: z.enum(FAILURES), text: z.string() }),
]);

/** The stored state of a download. URLs have no queries (`keptUrl`). */
const stateSchema = z.strictObject({
  /** The kept file. */
  copy: z
    .strictObject({
      /** Below the download's folder. */
      name: z.string(),
      url: z.string(),
      ...validators,
      sha256: z.string(),
      sizeBytes: z.int().nonnegative(),
      /** When it was downloaded. */
      fetched: z.iso.datetime(),
    })
    .exactOptional(),
  /** The file that the partial file beside this one belongs to. */
  partial: z.strictObject({ url: z.string(), name: z.string(), ...validators }).exactOptional(),
  /** Time and outcome of the last request. */
  checked: z.iso.datetime().exactOptional(),
  last: outcomeSchema.exactOptional(),
  /** The publisher asked for no requests before this time. */
  notBefore: z.iso.datetime().exactOptional(),
});

export type DownloadState = Readonly<z.infer<typeof stateSchema>>;
export type KeptCopy = NonNullable<DownloadState['copy']>;
export type LastOutcome = NonNullable<DownloadState['last']>;

/** The publisher has nothing newer than the copy. */
export const UNCHANGED: LastOutcome = { outcome: 'unchanged', text: 'unchanged' };

/** Folder of the state files. No feed has this name. */
const STATE_FOLDER = '.state';

/** Returns the state folder of a folder's downloads. */
export function stateFolder(dir: string, folder: string): string {
  return join(dir, STATE_FOLDER, folder);
}

/** Returns the paths of a download's state file and partial file. */
export function statePaths(dir: string, { folder, key }: PlannedDownload): { state: string; part: string } {
  const stem = join(stateFolder(dir, folder), key);
  return { state: `${stem}.json`, part: `${stem}.part` };
}

/** Returns the path of a host's lock file. */
export function lockPath(dir: string, host: string): string {
  return join(dir, STATE_FOLDER, `${host.replace(/[^A-Za-z0-9.-]/g, '_')}.lock`);
}

/** Reads a state. An absent or unreadable one is empty, and the file is downloaded again. */
export async function readState(path: string): Promise<DownloadState> {
  const text = await absentIfMissing(readFile(path, 'utf8'));
  return text === undefined ? {} : (stateSchema.safeParse(parseJson(text)).data ?? {});
}

/** Replaces a state atomically. */
export async function writeState(path: string, state: DownloadState): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.tmp-${process.pid}`;
  const file = await open(beside, 'w');
  try {
    await file.writeFile(JSON.stringify(stateSchema.parse(state), null, 2));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  await fsyncPath(dirname(path));
}
