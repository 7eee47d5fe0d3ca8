import { QueueEvents } from 'bullmq';
import { jobId, QUEUES } from './flow-plan.js';
import type { OpenRedis } from './open-redis.js';
import { jobMessageSchema, jobResultSchema, type StageProgress } from '../stage/stage.js';
import { jobFailure, type JobFailedError } from './stage-failure.js';

/** An event of a job. */
export type JobEvent =
  | { readonly type: 'started'; readonly job: string }
  | { readonly type: 'progress'; readonly job: string; readonly progress: StageProgress }
  | { readonly type: 'log'; readonly job: string; readonly line: string }
  | { readonly type: 'retrying'; readonly job: string; readonly reason: string }
  | { readonly type: 'done'; readonly job: string; readonly result: unknown }
  | { readonly type: 'failed'; readonly job: string; readonly error: JobFailedError };

/** The receiver of job events. */
export interface JobEventSink {
  event(event: JobEvent): void;
  /** Called when `event` threw or a message was invalid, because nothing may be thrown into BullMQ's reading loop. */
  broken(error: Error): void;
}

/** The subscription to the events of one run, from all processes that work for it. */
export interface JobEvents {
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Listens to the jobs of a run and ignores other runs in the same queue. The stream must be empty at the start. */
export function listenToJobs(
  redis: OpenRedis,
  run: { readonly id: string; readonly jobs: readonly string[] },
  sink: JobEventSink,
): JobEvents {
  const names = new Map(run.jobs.map((job) => [jobId(run.id, job), job]));
  const named = (id: string, make: (job: string) => JobEvent): void => {
    const job = names.get(id);
    if (job === undefined) return;
    try {
      sink.event(make(job));
    } catch (error) {
      sink.broken(error as Error);
    }
  };
  const streams = QUEUES.map((queue) => listenToQueue(redis, queue, named));
  return {
    ready: Promise.all(streams.map((events) => events.waitUntilReady())).then(() => undefined),
    close: () => Promise.all(streams.map((events) => events.close())).then(() => undefined),
  };
}

/** Passes on the events of one queue by job id. */
function listenToQueue(
  redis: OpenRedis,
  queue: string,
  named: (id: string, make: (job: string) => JobEvent) => void,
): QueueEvents {
  // Reads from the first event, so none is missed before the first read.
  const events = new QueueEvents(queue, {
    connection: redis.connection,
    prefix: redis.prefix,
    lastEventId: '0-0',
    // Wait of one read in ms. A process that has lost Redis cannot end earlier.
    blockingTimeout: 1000,
  });
  // A lost Redis is reported by `redis.lost`.
  events.on('error', () => undefined);
  events.on('active', ({ jobId: id }) => {
    named(id, (job) => ({ type: 'started', job }));
  });
  events.on('progress', ({ jobId: id, data }) => {
    named(id, (job) => messageEvent(job, data));
  });
  events.on('completed', ({ jobId: id, returnvalue }) => {
    named(id, (job) => ({ type: 'done', job, result: jobResultSchema.parse(returnvalue).result }));
  });
  events.on('stalled', ({ jobId: id }) => {
    named(id, (job) => ({ type: 'retrying', job, reason: 'its worker has disappeared' }));
  });
  events.on('failed', ({ jobId: id, failedReason }) => {
    named(id, (job) => ({ type: 'failed', job, error: jobFailure(job, failedReason) }));
  });
  return events;
}

function messageEvent(job: string, message: unknown): JobEvent {
  const parsed = jobMessageSchema.parse(message);
  if ('progress' in parsed) return { type: 'progress', job, progress: parsed.progress };
  if ('log' in parsed) return { type: 'log', job, line: parsed.log };
  return { type: 'retrying', job, reason: parsed.retrying };
}
