import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readSecrets } from './download-address.js';
import type { Failure } from './download-error.js';
import { DownloadJob } from './download-job.js';
import type { PlannedDownload } from './download-plan.js';
import {
  lockPath,
  readState,
  statePaths,
  type DownloadState,
  type KeptCopy,
  type LastOutcome,
} from './download-state.js';
import { withHostLock } from './host-lock.js';
import { KnownDownload, type DownloadContext } from './known-download.js';
import { TimeBudget } from './time-budget.js';

export type { DownloadContext } from './known-download.js';

/** The result of a download. `skipped`: its variables are not set. `failed`: the last good copy, if any, stays. */
export interface DownloadResult {
  /** `<folder>/<name>` of the copy, or the expected one. */
  readonly file: string;
  readonly outcome: 'downloaded' | 'unchanged' | 'skipped' | 'failed';
  readonly failure?: Failure;
  /** The result as text, without secrets. */
  readonly text: string;
  /** The current copy. */
  readonly copy?: KeptCopy;
}

/** Downloads a file if the publisher has a newer one. Never throws for failures of the publisher. */
export async function download(planned: PlannedDownload, context: DownloadContext): Promise<DownloadResult> {
  const { secrets, missing } = readSecrets(planned.download, context.readVariable);
  const paths = statePaths(context.dir, planned);
  if (missing.length > 0) {
    const verb = missing.length === 1 ? 'is' : 'are';
    const last = { outcome: 'skipped', text: `${missing.join(' and ')} ${verb} not set` } as const;
    return resultOf(planned, await heldCopy(planned, await readState(paths.state), context), last);
  }
  return withHostLock(lockPath(context.dir, planned.host), async () => {
    const state = await readState(paths.state);
    const copy = await heldCopy(planned, state, context);
    if (state.last && state.checked !== undefined && new Date(state.checked) >= context.since) {
      return resultOf(planned, copy, state.last);
    }
    const budget = new TimeBudget(context.limits.budgetMs);
    const known = new KnownDownload(paths.state, state, copy);
    const job = new DownloadJob({ planned, context, secrets, paths, budget }, known);
    try {
      const last = await job.run();
      return resultOf(planned, known.copy, last);
    } finally {
      budget.stop();
    }
  });
}

function resultOf(
  { folder, id }: PlannedDownload,
  copy: KeptCopy | undefined,
  last: LastOutcome | { readonly outcome: 'skipped'; readonly text: string },
): DownloadResult {
  return { file: copy ? `${folder}/${copy.name}` : id, ...last, ...(copy ? { copy } : {}) };
}

/** Returns the copy of the state if its file exists with the right size. */
async function heldCopy(
  { folder }: PlannedDownload,
  { copy }: DownloadState,
  { dir }: DownloadContext,
): Promise<KeptCopy | undefined> {
  if (!copy) return undefined;
  const found = await stat(join(dir, folder, copy.name)).catch(() => undefined);
  return found?.size === copy.sizeBytes ? copy : undefined;
}
