import { describeSystemError } from '../release/system-error.js';

/** A job has failed for good, so the build has failed. */
export class JobFailedError extends Error {
  override readonly name = 'JobFailedError';

  constructor(
    /** Name of the job, such as `ingest:geolite2`. */
    readonly job: string,
    /** One line: name and message of the error, with its causes. */
    readonly reason: string,
    /** First line of the stack; absent when the thread ended without an error. */
    readonly at: string | undefined,
  ) {
    super(`${job} failed: ${reason}`);
  }
}

/**
 * Returns the error that leaves a worker thread instead of `error`. For other processes BullMQ keeps only the message,
 * so it is `Name: text (causes)`, with the first line of the stack on a second line. `name` stays, because it decides
 * about retries. An error of the file system names its path, else the output folder.
 */
export function describeError(error: unknown, outputDir: string): Error {
  const thrown = error instanceof Error ? error : new Error(String(error));
  const at = firstFrame(thrown);
  const line = describeSystemError(thrown, outputDir) ?? oneLine(thrown);
  const described = new Error(at === undefined ? line : `${line}\n${at}`);
  described.name = thrown.name;
  Object.defineProperty(described, 'name', { enumerable: true });
  if (thrown.stack !== undefined) described.stack = thrown.stack;
  return described;
}

/** Restores a JobFailedError from the reason that BullMQ keeps. */
export function jobFailure(job: string, failedReason: string): JobFailedError {
  const [reason = '', at] = failedReason.split('\n');
  // BullMQ's message when a thread has ended before its job.
  const exit = /^Unexpected exit code: (-?\d+)/.exec(reason);
  return new JobFailedError(job, exit ? `its worker thread ended with exit code ${exit[1]!}` : reason, at);
}

function oneLine(error: Error): string {
  const text = `${error.name}: ${error.message}`.replaceAll(/\s*\n\s*/g, ' | ');
  return error.cause instanceof Error ? `${text} (${oneLine(error.cause)})` : text;
}

function firstFrame(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .find((line) => /^\s+at /.test(line))
    ?.trim();
}
