import { z } from 'zod';
import { REFUSALS } from '../input/feed-error.js';
import { count, sha256, sortedRecord, terms } from './manifest-values.js';

/** Rejected rows of one reason. */
const rejectionSchema = z.strictObject({
  count,
  examples: z.array(z.strictObject({ position: count, excerpt: z.string() })),
});

/** One publisher's file as used by the build. `rows = accepted + rejected`. */
export const inputFileSchema = z.strictObject({
  /** `<folder>/<name>` */
  id: z.string(),
  sha256,
  sizeBytes: count,
  /** When the publisher's file was last modified, ISO 8601 UTC. */
  modified: z.iso.datetime(),
  /** When the publisher last sent the file or confirmed it, ISO 8601 UTC; only for downloaded files of lists. */
  confirmed: z.iso.datetime().exactOptional(),
  /** This night's file was refused or missing; the last good copy was used. */
  lastGood: z.boolean(),
  rows: count,
  accepted: count,
  rejected: count,
  rejections: sortedRecord(rejectionSchema),
  notes: sortedRecord(count),
});

/** A file of this night that the build did not use, and its replacement. */
export const refusalSchema = z.strictObject({
  file: z.string(),
  /**
   * The reason. `download`: the download failed. `skipped`: it was not downloaded because its key is not set. The
   * other reasons are those of a file that was read.
   */
  refusal: z.enum([...REFUSALS, 'download', 'skipped']),
  found: z.string(),
  usedInstead: z.enum(['last good copy', 'bundled copy', 'nothing']),
});

/** A place name of a feed that matched no place, and the number of its networks. */
const unresolvedSchema = z.strictObject({
  country: z.string(),
  /** The region in which the city was searched: its code, or the feed's text. */
  region: z.string().exactOptional(),
  name: z.string(),
  count,
});

/** Networks of a feed by the finest level that matched a place. All counts are networks. */
const placesSchema = z.strictObject({
  total: count,
  levels: z.strictObject({ city: count, region: count, country: count, none: count }),
  /** The most frequent names that matched no place, the most frequent first. */
  unresolvedRegions: z.array(unresolvedSchema),
  unresolvedCities: z.array(unresolvedSchema),
});

export const inputSchema = z.strictObject({
  feed: z.string(),
  publisher: z.string(),
  licence: z.strictObject({
    name: z.string(),
    url: z.string(),
    attribution: z.string().optional(),
    /** The terms of the licence for a downloadable file. */
    terms,
  }),
  /** Version of the reader. */
  adapterVersion: z.int().positive(),
  files: z.array(inputFileSchema),
  refusals: z.array(refusalSchema),
  /** Networks in the normalised table; absent for inputs that are not prefix tables. */
  networks: count.optional(),
  /** Absent for inputs that are not feeds. */
  places: placesSchema.optional(),
});

export type ManifestInput = z.infer<typeof inputSchema>;
export type ManifestInputFile = z.infer<typeof inputFileSchema>;
export type ManifestRefusal = z.infer<typeof refusalSchema>;
