import type { CompileResult } from '../datasets/dataset-plan.js';
import { filesOfRelease } from '../release/contract.js';
import { lastRelease } from '../release/last-release.js';
import { holding, readPin, type Pin } from '../release/pin.js';
import { currentId, listReleases, ReleaseError, type Release } from '../release/release-store.js';
import { verifyNames } from '../release/verify-release.js';
import type { StageContext } from '../stage/stage.js';

/** A release with the same content as tonight's datasets. */
export interface UnchangedRelease {
  readonly id: string;
  /** Id of the pinned release that stays current instead of it. */
  readonly held?: string;
}

/**
 * Returns the release that equals the compiled datasets: the current one, or under a pin any kept one, so that a build
 * after a rollback does not publish the rejected release again. With `sourceDateEpoch` the release must have that date.
 * Returns undefined for new content, and with `force`.
 */
export async function unchangedRelease(
  datasets: readonly CompileResult[],
  buildKey: string,
  context: StageContext,
): Promise<UnchangedRelease | undefined> {
  const { settings } = context;
  const pin = await readPin(settings.outputDir);
  const current = await currentId(settings.outputDir);
  for (const release of await candidates(datasets, pin, context)) {
    const { id, manifest } = release;
    const { sourceDateEpoch = manifest.buildEpoch } = settings;
    if (manifest.buildKey !== buildKey || manifest.buildEpoch !== sourceDateEpoch) continue;
    if (!(await isWhole(release, context))) continue;
    const held = holding(pin, buildKey)?.release;
    // Content that is neither current nor rejected ends a pin: it is published again.
    if (held === undefined && id !== current) continue;
    return { id, ...(held !== undefined && held !== id && { held }) };
  }
  return undefined;
}

async function candidates(
  datasets: readonly CompileResult[],
  pin: Pin | undefined,
  { settings }: StageContext,
): Promise<Release[]> {
  if (pin !== undefined && settings.force !== true) {
    return (await listReleases(settings.outputDir)).filter((listed) => 'manifest' in listed);
  }
  if (datasets.some(({ unchanged }) => unchanged === undefined)) return [];
  const { release } = await lastRelease(settings.outputDir);
  return release ? [release] : [];
}

async function isWhole({ id, dir, manifest }: Release, { log }: StageContext): Promise<boolean> {
  try {
    await verifyNames(dir, filesOfRelease(manifest));
    return true;
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    log(`release ${id} is damaged and will be rebuilt: ${error.message}`);
    return false;
  }
}
