import type { SandboxedJob } from 'bullmq';
import { throttleProgress } from './progress-throttle.js';
import {
  jobPayloadSchema,
  jobResultSchema,
  type JobMessage,
  type StageContext,
  type StageRegistry,
} from '../stages/stage.js';
import { describeError } from './stage-failure.js';
import { TransientError } from '../stages/transient-error.js';

/** Results are digests and counts; what is larger belongs on disk. What is handed on has been measured where it was made. */
const RESULT_CHARACTERS = 1 << 20;

/**
 * The function that a worker thread runs for every job; a processor file exports `runStage(registry)` as its default.
 * What a stage throws leaves the thread as one line of text and the first line of the stack, under its own name.
 */
export function runStage(registry: StageRegistry): (job: SandboxedJob) => Promise<unknown> {
  return async (job) => {
    const tell = (message: JobMessage): void => void job.updateProgress(message);
    const { kind, input, settings, handsOn = [] } = jobPayloadSchema.parse(job.data);
    const { progress, flush } = throttleProgress((p) => {
      tell({ progress: p });
    }, Date.now);
    const log = (line: string): void => {
      tell({ log: line });
    };
    try {
      const stage = await registry[kind]();
      const context: StageContext = { settings, progress, log, children: await childResults(job) };
      const result = { job: job.name, result: await stage(input, context) };
      if (JSON.stringify(result).length > RESULT_CHARACTERS) {
        throw new RangeError(`the result of ${job.name} is too large for Redis`);
      }
      flush();
      const beside = pick(context.children, handsOn);
      return { ...result, ...(handsOn.length > 0 && { beside }) };
    } catch (error) {
      flush();
      if (error instanceof TransientError && job.attemptsMade + 1 < (job.opts.attempts ?? 1)) {
        tell({ retrying: error.message });
      }
      throw describeError(error);
    }
  };
}

/** Results of the children and of those that they hand on, by the name of the job that made them. */
async function childResults(job: SandboxedJob): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = await job.getChildrenValues();
  const results = Object.values(values).map((value) => jobResultSchema.parse(value));
  return Object.fromEntries(
    results.flatMap(({ job: name, result, beside = {} }) => [...Object.entries(beside), [name, result]]),
  );
}

function pick(results: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (name in results ? [[name, results[name]]] : [])));
}
