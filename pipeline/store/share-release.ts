import { join } from 'node:path';
import { filesOfRelease } from '../release/contract.js';
import { sha256File, type FileDigest } from '../release/digest.js';
import { absentIfMissing } from '../release/missing.js';
import { currentId, currentRelease, MANIFEST, REPORT, type Release } from '../release/release-store.js';
import { verifyFile } from '../release/verify-release.js';
import { atMost } from './at-most.js';
import type { ObjectStore } from './object-store.js';
import {
  CURRENT_KEY,
  encodePointer,
  readPointer,
  releaseKey,
  type ReleasePointer,
} from './release-pointer.js';
import { AT_ONCE, type RemoteTier } from './remote-tier.js';
import { StoreError } from './store-error.js';

/** The steps of a publication to a store in order. It may be killed after any of them. */
export const SHARE_STEPS = [
  'files uploaded',
  'manifest uploaded',
  'release listed',
  'current moved',
] as const;
export type ShareStep = (typeof SHARE_STEPS)[number];

/**
 * Makes the current release of the output folder the current one of the store: files first, then the manifest, the entry
 * among the kept releases, and last `current`. Content that the store has is not uploaded again. Returns the pointer;
 * undefined without a release. Throws StoreError, and ReleaseError if the release is damaged.
 */
export async function shareCurrent(
  outputDir: string,
  remote: RemoteTier,
  onStep?: (step: ShareStep) => void | Promise<void>,
): Promise<ReleasePointer | undefined> {
  for (;;) {
    const release = await currentRelease(outputDir);
    if (!release) return undefined;
    const pointer = await shareRelease(release, remote, onStep);
    await moveCurrent(pointer, remote);
    await onStep?.('current moved');
    // A rollback may have moved `current` meanwhile: the store ends with the release that the folder ends with.
    if ((await currentId(outputDir)) === release.id) return pointer;
  }
}

/** Uploads a release and lists it among the kept ones. */
async function shareRelease(
  { id, dir, manifest }: Release,
  remote: RemoteTier,
  onStep?: (step: ShareStep) => void | Promise<void>,
): Promise<ReleasePointer> {
  await atMost(AT_ONCE, filesOfRelease(manifest), async (file) => {
    if (await remote.has(file)) return;
    await verifyFile(join(dir, file.name), file);
    await remote.push(join(dir, file.name), file);
  });
  const report = await absentIfMissing(pushed(join(dir, REPORT), remote));
  await onStep?.('files uploaded');
  const pointer = { id, manifest: await pushed(join(dir, MANIFEST), remote), ...(report && { report }) };
  await onStep?.('manifest uploaded');
  await remote.use((store) => store.put(releaseKey(id), encodePointer(pointer)));
  await onStep?.('release listed');
  return pointer;
}

async function pushed(path: string, remote: RemoteTier): Promise<FileDigest> {
  const digest = await sha256File(path);
  await remote.push(path, digest);
  return digest;
}

async function moveCurrent(pointer: ReleasePointer, remote: RemoteTier): Promise<void> {
  await remote.use(async (store) => {
    const last = await readLast(store);
    const bytes = encodePointer(pointer);
    if (!last || !encodePointer(last).equals(bytes)) await store.put(CURRENT_KEY, bytes);
  });
}

/** Returns the pointer to the last release of the store. One that is invalid is replaced. */
async function readLast(store: ObjectStore): Promise<ReleasePointer | undefined> {
  try {
    return await readPointer(store, CURRENT_KEY);
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}
