import { z } from 'zod';
import { describeWrongEpoch, isDate } from '../mmdb/build-epoch.js';
import { deltasSchema, editionSchema } from './derived-files.js';
import { inputSchema } from './manifest-inputs.js';
import { count, fileName, md5, sha256, sortedRecord, terms } from './manifest-values.js';
import { placeChangesSchema } from './place-changes.js';
import { regionsSchema } from './regions-check.js';
import { scorecardSchema } from './scorecard.js';

/** The server uses the same country names as the datasets (decision 24). */
export { countryNames } from '../gazetteer/country-names.js';

/** The server reads `peering.json` too. */
export { peeringIndexSchema, type PeeringIndex } from '../routing/peering-index.js';

/** The parts of the manifest with files of their own. */
export {
  inputSchema,
  refusalSchema,
  type ManifestInput,
  type ManifestInputFile,
  type ManifestRefusal,
} from './manifest-inputs.js';
export type { DatasetDelta, DatasetDeltas, ManifestEdition } from './derived-files.js';

/** Groups of files that are compiled separately, each with its own key. */
export const DATASETS = ['geo', 'routing', 'isp'] as const;
export type Dataset = (typeof DATASETS)[number];

/** Seconds since 1970 that are a date. */
const buildEpoch = z.number().refine((epoch) => Number.isInteger(epoch) && isDate(epoch), {
  error: ({ input }) => describeWrongEpoch(input as number),
});
/** A whole number that may exceed 2^53 (2000::/3 has 2^61 /64s) and is then rounded to the nearest double. */
const largeCount = z.number().nonnegative().refine(Number.isInteger, 'Invalid input: not a whole number');

/** The address space that a dataset covers. */
const coverageSchema = z.strictObject({
  networks: count,
  ipv4Addresses: count,
  /** IPv6 in /64 networks, rounded down. */
  ipv6Slash64s: largeCount,
});

/** The finest level that a record names: a record with a city also has its region and country. */
export const COVERAGE_LEVELS = ['city', 'region', 'country', 'none'] as const;
export type CoverageLevel = (typeof COVERAGE_LEVELS)[number];

/** An MMDB file. */
export const datasetFileSchema = z.strictObject({
  name: fileName,
  /**
   * `served`: the API answers from it. `download`: the same from sources whose licences allow redistribution.
   * `verdicts`: the verdicts of one feed. `evidence`: the listings behind each answer; for audits, never downloadable.
   */
  kind: z.enum(['served', 'download', 'verdicts', 'evidence']),
  /** The feeds, lists and gazetteers in the file, their strictest terms, and their attribution lines. */
  sources: z.array(z.string()),
  terms,
  attributions: z.array(z.string()),
  databaseType: z.string(),
  sizeBytes: count,
  sha256,
  /** Only of files with editions: updaters compare it. */
  md5: md5.exactOptional(),
  nodeCount: count,
  recordSize: z.union([z.literal(24), z.literal(28), z.literal(32)]),
  ipVersion: z.union([z.literal(4), z.literal(6)]),
  languages: z.array(z.string()),
  buildEpoch,
  records: count,
  coverage: coverageSchema,
  /** Coverage by the feed that decided the country. */
  coverageByFeed: sortedRecord(coverageSchema),
  /** Coverage by country, ISO 3166-1 alpha-2; `none` without a country. */
  coverageByCountry: sortedRecord(coverageSchema),
  /** Coverage by the finest level; only of places, and absent in releases from before it was counted. */
  coverageByLevel: z.partialRecord(z.enum(COVERAGE_LEVELS), coverageSchema).exactOptional(),
});

/** A JSON file that the server searches in memory. */
export const indexFileSchema = z.strictObject({
  name: fileName,
  kind: z.literal('index'),
  /** As for an MMDB file. */
  sources: z.array(z.string()),
  terms,
  attributions: z.array(z.string()),
  sizeBytes: count,
  sha256,
});

/** One group of files and its inputs. */
const datasetSchema = z.strictObject({
  /**
   * sha256 of everything that determines the files except the time. Equal keys mean equal files except the build epoch.
   */
  key: sha256,
  /** Names of its files; empty without inputs. */
  files: z.array(fileName),
  /** Counters of the compilation by dotted name, such as `routes.dropped.visibility`. */
  counters: sortedRecord(z.number()),
  /** Only of geo; absent without statements of operators, and in releases from before scorecards. */
  scorecard: scorecardSchema.exactOptional(),
});

/** One check that a release had to pass. */
const gateSchema = z.strictObject({
  name: z.string(),
  passed: z.boolean(),
  /** The measurement and its bound, as text. */
  found: z.string(),
  bound: z.string(),
});

/** `manifest.json` of a release: inputs, files and gates. */
export const manifestSchema = z.strictObject({
  schema: z.literal(1),
  /** `<UTC time>-<digest>`, the folder's name. */
  id: z.string().regex(/^\d{8}T\d{6}Z-[0-9a-f]{12}$/),
  /** Seconds since 1970, SOURCE_DATE_EPOCH or the start of the build. */
  buildEpoch,
  generator: z.string(),
  /** Seconds from the start of the build to its gates; absent with SOURCE_DATE_EPOCH. */
  buildSeconds: z.number().nonnegative().exactOptional(),
  /**
   * Where the feeds' files came from: the bundled fixtures, a folder, or the publishers. Gates do not compare a real
   * release with one made from fixtures.
   */
  source: z.enum(['fixtures', 'folder', 'live']).optional(),
  /**
   * sha256 of the keys of all datasets and all refusals. Equal keys mean equal datasets (except the build epoch) and
   * equal refusals.
   */
  buildKey: sha256,
  /** Absent in releases from before datasets had their own keys. */
  datasets: z
    .strictObject({
      geo: datasetSchema.exactOptional(),
      routing: datasetSchema.exactOptional(),
      isp: datasetSchema.exactOptional(),
    } satisfies Record<Dataset, z.ZodType>)
    .exactOptional(),
  inputs: z.array(inputSchema),
  files: z.array(datasetFileSchema),
  /** Absent where there are none. */
  indexes: z.array(indexFileSchema).exactOptional(),
  /** Editions of the downloadable files; absent where there are none, and in releases from before editions. */
  editions: z.array(editionSchema).exactOptional(),
  /** Deltas to the files for download; absent where there are none. */
  deltas: z.array(deltasSchema).exactOptional(),
  gates: z.array(gateSchema),
  /** Absent without geolocation, and in releases from before regions were checked. */
  regions: regionsSchema.exactOptional(),
  /**
   * The places of geo.mmdb, compared with the release before it. Absent in the first release, without a comparable one,
   * and in releases from before changes were counted.
   */
  changes: placeChangesSchema.exactOptional(),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestFile = z.infer<typeof datasetFileSchema>;
export type ManifestIndex = z.infer<typeof indexFileSchema>;
export type ManifestDataset = z.infer<typeof datasetSchema>;
export type Coverage = z.infer<typeof coverageSchema>;
export type ManifestRegions = z.infer<typeof regionsSchema>;
export type Gate = z.infer<typeof gateSchema>;

/** Returns every file of a release except its manifest. */
export function filesOfRelease({
  files,
  indexes,
  editions = [],
  deltas = [],
}: Pick<Manifest, 'files' | 'indexes' | 'editions' | 'deltas'>): ReleaseFile[] {
  const steps = deltas.flatMap((entry) => entry.deltas);
  return [...files, ...(indexes ?? []), ...editions, ...steps.flatMap((step) => [step, step.rows])];
}

/** Name and digest of any file of a release. */
export type ReleaseFile = Pick<ManifestFile, 'name' | 'sizeBytes' | 'sha256'>;
