import { withCurrentLock } from './current-lock.js';
import type { Manifest } from './contract.js';
import { holding, readPin, removePin, writePin, type Pin } from './pin.js';
import { currentId, readManifest, releaseDir, ReleaseError } from './release-store.js';
import { switchCurrent } from './switch-current.js';

/** How long a rollback holds: until an operator ends it, or until a build has a release with new content. */
export type PinUntil = Pin['until'];

/**
 * Makes a published release current unless a pin holds another one. A pin that ends with this release is removed.
 * Returns the id of the release that is held. `made` is called before the link is renamed.
 */
export function offerCurrent(
  outputDir: string,
  { id, buildKey }: Pick<Manifest, 'id' | 'buildKey'>,
  made?: () => Promise<void>,
): Promise<string | undefined> {
  return withCurrentLock(outputDir, async () => {
    const pin = await readPin(outputDir);
    const held = holding(pin, buildKey)?.release;
    if (held !== undefined && held !== id) return held;
    await switchCurrent(outputDir, id, made);
    if (pin !== undefined && held === undefined) await removePin(outputDir);
    return undefined;
  });
}

/** Makes a release current and pins it. The release that was current, and all that a pin had rejected, are rejected. */
export function pinCurrent(
  outputDir: string,
  to: string,
  { from, until }: { readonly from: string | undefined; readonly until: PinUntil },
): Promise<void> {
  return withCurrentLock(outputDir, async () => {
    const earlier = (await readPin(outputDir))?.rejected ?? [];
    const rejected = new Map(earlier.map((one) => [one.id, one.buildKey]));
    const buildKey = from === undefined ? undefined : await buildKeyOf(outputDir, from);
    if (from !== undefined && buildKey !== undefined) rejected.set(from, buildKey);
    rejected.delete(to);
    await assertKept(outputDir, to);
    const list = [...rejected].map(([id, key]) => ({ id, buildKey: key }));
    // The pin is written first: a build that ends in between must not publish over the rollback.
    await writePin(outputDir, { release: to, until, rejected: list, since: new Date().toISOString() });
    await switchCurrent(outputDir, to);
  });
}

/** Makes a release current and removes the pin. Returns the id that was current. */
export function releaseCurrent(outputDir: string, to: string): Promise<string | undefined> {
  return withCurrentLock(outputDir, async () => {
    const from = await currentId(outputDir);
    await assertKept(outputDir, to);
    await switchCurrent(outputDir, to);
    await removePin(outputDir);
    return from;
  });
}

/** Removes the pin and leaves `current`. Returns whether there was a pin. */
export function unpinCurrent(outputDir: string): Promise<boolean> {
  return withCurrentLock(outputDir, () => removePin(outputDir));
}

/** Throws ReleaseError if a publication has removed the release since it was verified. */
async function assertKept(outputDir: string, id: string): Promise<void> {
  await readManifest(releaseDir(outputDir, id));
}

/** Returns the build key of a release; absent if the release is missing or damaged: its content is unknown. */
async function buildKeyOf(outputDir: string, id: string): Promise<string | undefined> {
  try {
    return (await readManifest(releaseDir(outputDir, id))).buildKey;
  } catch (error) {
    if (error instanceof ReleaseError) return undefined;
    throw error;
  }
}
