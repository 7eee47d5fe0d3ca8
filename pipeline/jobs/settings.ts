import { z } from 'zod';

/** What one build works on. Plain JSON: it travels to every worker, so paths must mean the same on every machine. */
export const buildSettingsSchema = z.strictObject({
  /** Where publishers' files lie, as `<feed id>/<file name>`. */
  feedsDir: z.string().min(1),
  /** Releases, caches, lock and private Redis. */
  outputDir: z.string().min(1),
  /** Ids of the feeds to build from. */
  feeds: z.array(z.string().min(1)).min(1),
  /** Seconds since 1970 that stand for "now" in what is written. */
  sourceDateEpoch: z.int().nonnegative().exactOptional(),
  /** Jobs at the same time in one process. */
  concurrency: z.int().positive(),
});

export type BuildSettings = Readonly<z.infer<typeof buildSettingsSchema>>;
