import { z } from 'zod';
import { TERMS } from '../feeds/feed.js';
import { REFUSALS } from '../feeds/feed-error.js';

/** The server names countries as the datasets do: names whose choice is a decision stand in one table. */
export { countryNames } from '../gazetteer/country-names.js';

/** The server reads `peering.json` too. */
export { peeringIndexSchema, type PeeringIndex } from '../routing/peering-index.js';

/** What is compiled by itself: groups of files, each with a key of its own. */
export const DATASETS = ['geo', 'routing', 'isp'] as const;
export type Dataset = (typeof DATASETS)[number];

const terms = z.enum(TERMS);
const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A whole number that may lie above 2^53 (2000::/3 is 2^61 /64s) and is then the nearest one there is. */
const largeCount = z.number().nonnegative().refine(Number.isInteger, 'Invalid input: not a whole number');

/** Rejected rows of one reason. */
const rejectionSchema = z.strictObject({
  count,
  examples: z.array(z.strictObject({ position: count, excerpt: z.string() })),
});

/** One publisher's file as it went into the build. `rows = accepted + rejected`. */
export const inputFileSchema = z.strictObject({
  /** `<folder>/<name>` */
  id: z.string(),
  sha256,
  sizeBytes: count,
  /** When the publisher's file was last modified, ISO 8601 UTC. */
  modified: z.iso.datetime(),
  /** When its publisher last handed it out or said that it holds, ISO 8601 UTC; of downloaded files of lists alone. */
  confirmed: z.iso.datetime().exactOptional(),
  /** This night's file was refused or absent: this is the last one that was good. */
  lastGood: z.boolean(),
  rows: count,
  accepted: count,
  rejected: count,
  rejections: sortedRecord(rejectionSchema),
  notes: sortedRecord(count),
});

/** A file that this night brought and the build did not use, and what took its place. */
export const refusalSchema = z.strictObject({
  file: z.string(),
  /**
   * Why not. `download`: it could not be had from its publisher. `skipped`: nor was it asked for, because its key is
   * not set. The others are those of a file that was read.
   */
  refusal: z.enum([...REFUSALS, 'download', 'skipped']),
  found: z.string(),
  usedInstead: z.enum(['last good copy', 'bundled copy', 'nothing']),
});

/** A feed's text that no place was found for, and how many networks carry it. */
const unresolvedSchema = z.strictObject({
  country: z.string(),
  /** The region that a city was looked for in: its code, else the feed's text. */
  region: z.string().exactOptional(),
  name: z.string(),
  count,
});

/** How far a feed's networks could be given places, by the finest level with an id. All counts are networks. */
const placesSchema = z.strictObject({
  total: count,
  levels: z.strictObject({ city: count, region: count, country: count, none: count }),
  /** The texts that meant no place, the most frequent first, not all of them. */
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
    /** What the licence asks of a file that others download. */
    terms,
  }),
  /** Version of the adapter that read it. */
  adapterVersion: z.int().positive(),
  files: z.array(inputFileSchema),
  refusals: z.array(refusalSchema),
  /** Networks in the normalised table; absent for inputs that are no prefix tables. */
  networks: count.optional(),
  /** Absent for inputs that are no feeds. */
  places: placesSchema.optional(),
});

/** How much of the address space a dataset answers for. */
const coverageSchema = z.strictObject({
  networks: count,
  ipv4Addresses: count,
  /** IPv6 in /64 networks, rounded down. */
  ipv6Slash64s: largeCount,
});

/** Path inside the release folder: plain names, so that nothing outside is ever meant. */
const fileName = z.string().regex(/^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/);

/** An MMDB file. */
export const datasetFileSchema = z.strictObject({
  name: fileName,
  /**
   * `served`: what the API answers from. `download`: the same for others to keep, of sources whose licences allow it.
   * `verdicts`: what one feed says by itself. `evidence`: which lists said what; for our own audit, never for others.
   */
  kind: z.enum(['served', 'download', 'verdicts', 'evidence']),
  /** Feeds, lists and gazetteers it is made of, the strictest of their licences' terms, and the lines they want shown. */
  sources: z.array(z.string()),
  terms,
  attributions: z.array(z.string()),
  databaseType: z.string(),
  sizeBytes: count,
  sha256,
  nodeCount: count,
  recordSize: z.union([z.literal(24), z.literal(28), z.literal(32)]),
  ipVersion: z.union([z.literal(4), z.literal(6)]),
  languages: z.array(z.string()),
  buildEpoch: count,
  records: count,
  coverage: coverageSchema,
  /** Coverage by the feed whose country was taken. */
  coverageByFeed: sortedRecord(coverageSchema),
  /** Coverage by country, ISO 3166-1 alpha-2; `none` where no country is known. */
  coverageByCountry: sortedRecord(coverageSchema),
});

/** A JSON file that the server searches in memory. */
export const indexFileSchema = z.strictObject({
  name: fileName,
  kind: z.literal('index'),
  /** As of an MMDB file. */
  sources: z.array(z.string()),
  terms,
  attributions: z.array(z.string()),
  sizeBytes: count,
  sha256,
});

/** One group of files and what it was made from. */
const datasetSchema = z.strictObject({
  /** sha256 over everything the files hang on but the time: equal keys, equal files (but for the build epoch). */
  key: sha256,
  /** Names of its files; none when there was nothing to make them from. */
  files: z.array(fileName),
  /** What was counted on the way, by dotted names such as `routes.dropped.visibility`. */
  counters: sortedRecord(z.number()),
});

/** One check that a release had to pass. */
const gateSchema = z.strictObject({
  name: z.string(),
  passed: z.boolean(),
  /** What was measured and the bound it was held against, in words. */
  found: z.string(),
  bound: z.string(),
});

/** Regions of global DNS as the tables of this release see them; subnets, all counts. */
const regionsSchema = z.strictObject({
  checked: count,
  /** Country and carrier fit. */
  confirmed: count,
  /** The country fits, the carrier is not known. */
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

/** `manifest.json` of a release: what went in, what came out, and what was checked. */
export const manifestSchema = z.strictObject({
  schema: z.literal(1),
  /** `<UTC time>-<digest>`, the folder's name. */
  id: z.string().regex(/^\d{8}T\d{6}Z-[0-9a-f]{12}$/),
  /** Seconds since 1970, SOURCE_DATE_EPOCH or the start of the build. */
  buildEpoch: count,
  generator: z.string(),
  /**
   * Where the feeds' files came from: the bundled fixtures, a folder, or the publishers. Gates hold no real release
   * against one made of fixtures.
   */
  source: z.enum(['fixtures', 'folder', 'live']).optional(),
  /**
   * sha256 over the keys of all datasets and every refusal: equal keys, equal datasets (but for the build epoch), made
   * on nights that refused the same.
   */
  buildKey: sha256,
  /** Absent in releases made before datasets were compiled one by one. */
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
  gates: z.array(gateSchema),
  /** Absent where no places were compiled, and in releases made before regions were checked. */
  regions: regionsSchema.exactOptional(),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestInput = z.infer<typeof inputSchema>;
export type ManifestInputFile = z.infer<typeof inputFileSchema>;
export type ManifestFile = z.infer<typeof datasetFileSchema>;
export type ManifestIndex = z.infer<typeof indexFileSchema>;
export type ManifestDataset = z.infer<typeof datasetSchema>;
export type ManifestRefusal = z.infer<typeof refusalSchema>;
export type Coverage = z.infer<typeof coverageSchema>;
export type ManifestRegions = z.infer<typeof regionsSchema>;
export type Gate = z.infer<typeof gateSchema>;

/** Every file of a release besides its manifest. */
export function filesOfRelease({ files, indexes }: Pick<Manifest, 'files' | 'indexes'>): ReleaseFile[] {
  return [...files, ...(indexes ?? [])];
}

/** What every file of a release has. */
export type ReleaseFile = ManifestFile | ManifestIndex;

/** A record whose keys come out sorted, so that equal manifests are equal bytes. */
function sortedRecord<T extends z.ZodType>(values: T) {
  return z
    .record(z.string(), values)
    .overwrite((record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))));
}
