import { z } from 'zod';
import { TERMS } from '../input/published-source.js';

/** Values that schemas of the manifest share. */
export const count = z.int().nonnegative();
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
export const md5 = z.string().regex(/^[0-9a-f]{32}$/);

export const terms = z.enum(TERMS);

/** Path inside the release folder. Only plain names, so it cannot lead outside. */
export const fileName = z.string().regex(/^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/);

/** A record schema with sorted keys in the output, so equal manifests are equal bytes. */
export function sortedRecord<T extends z.ZodType>(values: T) {
  return z
    .record(z.string(), values)
    .overwrite((record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))));
}
