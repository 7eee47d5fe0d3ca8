import { z } from 'zod';
import { buildSettingsSchema, type BuildSettings } from './settings.js';

/** The kinds of jobs of a build, in the order of the data. */
export const JOB_KINDS = ['fetch', 'ingest', 'gazetteer', 'compile', 'publish'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** How far a job is. Counts are totals since the job's start, not steps. */
export const stageProgressSchema = z.strictObject({
  bytesDone: z.number().nonnegative().exactOptional(),
  bytesTotal: z.number().nonnegative().exactOptional(),
  rows: z.number().nonnegative().exactOptional(),
  rejected: z.number().nonnegative().exactOptional(),
  /** A word on what is being done, such as `unpacking`. */
  text: z.string().exactOptional(),
});
export type StageProgress = Readonly<z.infer<typeof stageProgressSchema>>;

/** What a stage is given besides its input. */
export interface StageContext {
  readonly settings: BuildSettings;
  /** Cheap enough for every few hundred rows: only a few calls per second go further. Fields add to earlier ones. */
  readonly progress: (progress: StageProgress) => void;
  /** One line for the person who watches the build. */
  readonly log: (line: string) => void;
  /**
   * Results of the jobs right below this one, and of those that they hand on, by job name (`ingest:geolite2`). The stage
   * parses them itself.
   */
  readonly children: Readonly<Record<string, unknown>>;
}

/**
 * Does one job's work, in a worker thread. Throw TransientError for what may pass by itself; anything else fails the
 * build. It may be stopped at any instruction, so it writes beside and renames. The result is small JSON.
 */
export type Stage = (input: unknown, context: StageContext) => Promise<unknown>;

/** Loads the stage of a kind, so that a thread reads only the code it runs. */
export type StageRegistry = Readonly<Record<JobKind, () => Promise<Stage>>>;

/** What a job carries: names, never data. */
export const jobPayloadSchema = z.strictObject({
  kind: z.enum(JOB_KINDS),
  input: z.record(z.string(), z.string()),
  settings: buildSettingsSchema,
  /** Names of children whose results the job's parent needs as well. */
  handsOn: z.array(z.string()).exactOptional(),
});
export type JobPayload = z.infer<typeof jobPayloadSchema>;

/**
 * What a job returns: its result under its name, because Redis knows children by number only. A job of a flow has one
 * parent: what others need of it is handed on, by the names of the jobs that made it.
 */
export const jobResultSchema = z.strictObject({
  job: z.string(),
  result: z.unknown(),
  beside: z.record(z.string(), z.unknown()).exactOptional(),
});

/** What a running job tells, sent as BullMQ's progress because that reaches every listener as it happens. */
export const jobMessageSchema = z.union([
  z.strictObject({ progress: stageProgressSchema }),
  z.strictObject({ log: z.string() }),
  z.strictObject({ retrying: z.string() }),
]);
export type JobMessage = z.infer<typeof jobMessageSchema>;
