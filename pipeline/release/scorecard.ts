import { z } from 'zod';
import { count } from './manifest-values.js';

/** 0..1 */
const share = z.number().min(0).max(1).optional();

/** Shares of right answers; absent at levels that no operator states. */
const sharesSchema = z.strictObject({
  country: share,
  region: share,
  cityId: share,
  cityName: share,
  within50Km: share,
  answered: share,
  medianKm: z.number().nonnegative().optional(),
  /** The share of answers with coordinates whose radius covers the truth. */
  withinRadius: share,
});

/** How often answers with a confidence from `from` to `from + 9` are right. `says` and `right` are percentages. */
const reliabilityRowSchema = z.strictObject({
  from: z.int().min(0).max(90),
  networks: count,
  says: z.number().min(0).max(100),
  right: z.number().min(0).max(100),
});

/**
 * The accuracy of the merge tonight: the networks whose operators state their places, answered without that statement.
 */
export const scorecardSchema = z.strictObject({
  networks: count,
  operators: count,
  /** Over all networks, and as a mean over the operators. */
  all: sharesSchema,
  mean: sharesSchema,
  reliability: z.array(
    z.strictObject({
      level: z.enum(['country', 'region', 'city']),
      rows: z.array(reliabilityRowSchema),
      /** The mean difference between confidence and share of right answers, in percentage points. */
      error: z.number().nonnegative().optional(),
      errorOfNetworks: z.number().nonnegative().optional(),
    }),
  ),
});

export type Scorecard = z.infer<typeof scorecardSchema>;
export type ScorecardShares = Scorecard['all'];
