import { z } from 'zod';
import type { RemoteTier } from '../store/remote-tier.js';
import { jobSettingsSchema, type BuildSettings } from './settings.js';

/** The kinds of jobs of a build, in the order of the data. */
export const JOB_KINDS = [
  'fetch',
  'ingest',
  'gazetteer',
  'find',
  'verdicts',
  'merge',
  'score',
  'write',
  'compile',
  'changes',
  'publish',
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Progress of a job. Counts are totals since the start of the job. */
export const stageProgressSchema = z.strictObject({
  /** Share of the work that is done, 0..1. Without it the bytes give the share. */
  share: z.number().min(0).max(1).exactOptional(),
  bytesDone: z.number().nonnegative().exactOptional(),
  bytesTotal: z.number().nonnegative().exactOptional(),
  rows: z.number().nonnegative().exactOptional(),
  rejected: z.number().nonnegative().exactOptional(),
  /** The current step, such as `unpacking`. */
  text: z.string().exactOptional(),
});
export type StageProgress = Readonly<z.infer<typeof stageProgressSchema>>;

/** The context of a stage, besides its input. */
export interface StageContext {
  readonly settings: BuildSettings;
  /** Reports progress. May be called every few hundred rows: only a few calls per second are forwarded. Fields are merged
   * with those of earlier calls. */
  readonly progress: (progress: StageProgress) => void;
  /** Prints one line in the output of the build. */
  readonly log: (line: string) => void;
  /**
   * Results by job name (`ingest:geolite2`): of the direct children of this job, and those that they pass on. The
   * stage parses them.
   */
  readonly children: Readonly<Record<string, unknown>>;
  /** The store that the machines of this build share; absent without STORE. */
  readonly remote?: RemoteTier;
}

/**
 * Does the work of one job in a worker thread. Throws TransientError for a fault that may pass; any other error fails
 * the build. It may be killed at any instruction, so it writes to temporary names and renames. The result is small
 * JSON.
 */
export type Stage = (input: unknown, context: StageContext) => Promise<unknown>;

/** Loaders of the stages by kind. A thread loads only the code that it runs. */
export type StageRegistry = Readonly<Record<JobKind, () => Promise<Stage>>>;

/** The payload of a job: names and settings, never data. */
export const jobPayloadSchema = z.strictObject({
  kind: z.enum(JOB_KINDS),
  input: z.record(z.string(), z.string()),
  settings: jobSettingsSchema,
  /** Results of earlier jobs by job name; only in a job of a phase. */
  given: z.record(z.string(), z.unknown()).exactOptional(),
});
export type JobPayload = z.infer<typeof jobPayloadSchema>;

/**
 * The return value of a job: its result and its name, because Redis identifies children by number only. A job of a flow
 * has exactly one parent. A job with phases passes on the results of its jobs in `beside`, by job name.
 */
export const jobResultSchema = z.strictObject({
  job: z.string(),
  /** Absent if the job only passes on the results of others. */
  result: z.unknown().optional(),
  beside: z.record(z.string(), z.unknown()).exactOptional(),
});

/** A message of a running job. Sent as BullMQ progress, which reaches every listener immediately. */
export const jobMessageSchema = z.union([
  z.strictObject({ progress: stageProgressSchema }),
  z.strictObject({ log: z.string() }),
  z.strictObject({ retrying: z.string() }),
]);
export type JobMessage = z.infer<typeof jobMessageSchema>;
