import { z } from 'zod';
import { count } from './manifest-values.js';

/** The check of the regions of global DNS against the tables of this release. All counts are regions. */
export const regionsSchema = z.strictObject({
  checked: count,
  /** Country and carrier match. */
  confirmed: count,
  /** The country matches, the carrier is unknown. */
  countryOnly: count,
  unknown: count,
  mismatches: z.array(
    z.strictObject({
      code: count,
      subnet: z.string(),
      label: z.string(),
      expected: z.string(),
      found: z.string(),
    }),
  ),
});
