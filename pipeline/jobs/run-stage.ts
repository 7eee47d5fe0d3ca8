import type { StageJob } from './worker.js';
import { throttleProgress } from './progress-throttle.js';
import {
  jobPayloadSchema,
  jobResultSchema,
  type JobMessage,
  type StageContext,
  type StageRegistry,
} from '../stage/stage.js';
import type { Place } from '../stage/settings.js';
import { openStore } from '../store/open-store.js';
import { RemoteTier } from '../store/remote-tier.js';
import { describeError } from './stage-failure.js';
import { TransientError } from '../store/transient-error.js';

/** Results contain digests and counts; larger data belongs on disk. */
const RESULT_CHARACTERS = 1 << 20;

/**
 * Returns the function that a worker thread runs for every job. A processor file exports
 * `runStage(registry, placeOfThread())` as its default. Errors of a stage leave the thread with their name, one line of text and the first line of the stack.
 */
export function runStage(registry: StageRegistry, place: Place): (job: StageJob) => Promise<unknown> {
  return async (job) => {
    const send = (message: JobMessage): void => void job.updateProgress(message);
    const { kind, input, settings, given = {} } = jobPayloadSchema.parse(job.data);
    const { progress, flush } = throttleProgress((p) => {
      send({ progress: p });
    }, Date.now);
    const log = (line: string): void => {
      send({ log: line });
    };
    const { store } = place;
    const remote = store && new RemoteTier(() => openStore(store), { log });
    try {
      const stage = await registry[kind]();
      const children = { ...given, ...(await childResults(job)) };
      const shared = { settings: { ...settings, ...place }, progress, log, children };
      const context: StageContext = remote ? { ...shared, remote } : shared;
      const result = { job: job.name, result: await stage(input, context) };
      if (JSON.stringify(result).length > RESULT_CHARACTERS) {
        throw new RangeError(`the result of ${job.name} is too large for Redis`);
      }
      flush();
      return result;
    } catch (error) {
      flush();
      if (error instanceof TransientError && job.attemptsMade + 1 < (job.opts.attempts ?? 1)) {
        send({ retrying: error.message });
      }
      throw describeError(error, place.outputDir);
    } finally {
      await remote?.close();
    }
  };
}

/** Returns the results of the children, and the results that they pass on, by the name of the job. */
export async function childResults(
  job: Pick<StageJob, 'getChildrenValues'>,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = await job.getChildrenValues();
  return resultsOf(Object.values(values));
}

/** Returns the results in the return values of jobs, and those that they pass on, by the name of the job. */
export function resultsOf(returned: readonly unknown[]): Record<string, unknown> {
  const results = returned.map((value) => jobResultSchema.parse(value));
  return Object.fromEntries(
    results.flatMap(({ job: name, result, beside = {} }) => [
      ...Object.entries(beside),
      ...(result === undefined ? [] : [[name, result] as const]),
    ]),
  );
}
