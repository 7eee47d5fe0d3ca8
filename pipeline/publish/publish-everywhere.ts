import { countToKeep } from '../release/count-to-keep.js';
import { builtMs } from '../release/release-at.js';
import type { Stage, StageContext } from '../stage/stage.js';
import type { RemoteTier } from '../store/remote-tier.js';
import { StoreError } from '../store/store-error.js';
import { collectGarbage } from './collect-garbage.js';
import { publish, buildResultSchema } from './publish.js';
import { shareCurrent } from '../store/share-release.js';

/**
 * Publishes the compiled datasets in the output folder, and then the current release in the store, if there is one. The
 * store follows in every build: also if nothing is new, since an earlier build may have ended between the two.
 */
export const publishEverywhere: Stage = async (input, context) => {
  const result = buildResultSchema.parse(await publish(input, context));
  const { remote, settings } = context;
  if (!remote) return result;
  context.progress({ text: 'uploading the release' });
  await shareCurrent(settings.outputDir, remote);
  if (result.published) await tidy(remote, result.id, context);
  return result;
};

/** Time for which a store keeps objects that no kept release needs any more: a server may be downloading them. */
export const GRACE_MS = 24 * 3_600_000;

/** Collects garbage. Its faults do not fail a build whose release is published. */
async function tidy(remote: RemoteTier, id: string, { settings, log }: StageContext): Promise<void> {
  const rule = {
    keep: await countToKeep(settings.outputDir, settings, Math.floor(builtMs(id)! / 1000)),
    graceMs: settings.storeGraceMs ?? GRACE_MS,
    nowMs: Date.now(),
  };
  try {
    await remote.use((store) => collectGarbage(store, rule));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log(`garbage in the store was not collected: ${error.message}`);
  }
}
