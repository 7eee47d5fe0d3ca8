import { QueueEvents } from 'bullmq';
import { jobId, QUEUE } from './flow-plan.js';
import type { OpenRedis } from './open-redis.js';
import { jobMessageSchema, jobResultSchema, type StageProgress } from '../stages/stage.js';
import { jobFailure, type JobFailedError } from './stage-failure.js';

/** What happens to the jobs of a build, in order. */
export type JobEvent =
  | { readonly type: 'started'; readonly job: string }
  | { readonly type: 'progress'; readonly job: string; readonly progress: StageProgress }
  | { readonly type: 'log'; readonly job: string; readonly line: string }
  | { readonly type: 'retrying'; readonly job: string; readonly reason: string }
  | { readonly type: 'done'; readonly job: string; readonly result: unknown }
  | { readonly type: 'failed'; readonly job: string; readonly error: JobFailedError };

/** Who is told. */
export interface JobEventSink {
  event(event: JobEvent): void;
  /** `event` threw, or a message had no known shape; nothing may be thrown into BullMQ's reading loop. */
  broken(error: Error): void;
}

/** Events of one run, from any process that works for it. */
export interface JobEvents {
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Listens to the jobs named; those of other runs in the same queue are not heard. The stream starts empty. */
export function listenToJobs(
  redis: OpenRedis,
  run: { readonly id: string; readonly jobs: readonly string[] },
  sink: JobEventSink,
): JobEvents {
  const names = new Map(run.jobs.map((job) => [jobId(run.id, job), job]));
  // From the first event on, not from now on: nothing is missed between now and the first read.
  const events = new QueueEvents(QUEUE, {
    connection: redis.connection,
    prefix: redis.prefix,
    lastEventId: '0-0',
    // How long one read waits, in ms: a process whose Redis is gone cannot end before.
    blockingTimeout: 1000,
  });
  const named = (id: string, make: (job: string) => JobEvent): void => {
    const job = names.get(id);
    if (job === undefined) return;
    try {
      sink.event(make(job));
    } catch (error) {
      sink.broken(error as Error);
    }
  };
  // Redis that is gone shows in `redis.lost`.
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
    named(id, (job) => ({ type: 'retrying', job, reason: 'its worker is gone' }));
  });
  events.on('failed', ({ jobId: id, failedReason }) => {
    named(id, (job) => ({ type: 'failed', job, error: jobFailure(job, failedReason) }));
  });
  return { ready: events.waitUntilReady(), close: () => events.close() };
}

function messageEvent(job: string, message: unknown): JobEvent {
  const told = jobMessageSchema.parse(message);
  if ('progress' in told) return { type: 'progress', job, progress: told.progress };
  if ('log' in told) return { type: 'log', job, line: told.log };
  return { type: 'retrying', job, reason: told.retrying };
}
