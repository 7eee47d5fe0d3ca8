import { z } from 'zod';
import type { Coverage, CoverageLevel } from '../../pipeline/release/contract.js';
import { DATASET_NAMES, type Covered, type Dataset, type DatasetFile } from '../release/snapshot.js';

/** The dataset in a path. */
export const datasetName = z.enum(DATASET_NAMES, 'invalid dataset: expected mmdb, asn or isp');

/** The parameter that selects an edition. */
export const edition = z
  .string()
  .exactOptional()
  .describe('Database type for clients that require one, such as GeoLite2-City; see `editions`');

const space = z
  .strictObject({
    networks: z.int().nonnegative().describe('Networks'),
    ipv4_addresses: z.int().nonnegative().describe('IPv4 addresses'),
    ipv6_slash64s: z.number().nonnegative().describe('IPv6 networks of length 64, rounded down'),
  })
  .meta({ id: 'AddressSpace' });

const coverage = z
  .strictObject({
    ...space.shape,
    with_country: space.exactOptional().describe('Of these, with a country; only of `mmdb`'),
    with_region: space.exactOptional().describe('With a region'),
    with_city: space.exactOptional().describe('With a city'),
  })
  .meta({ id: 'Coverage' });
type Coverages = z.infer<typeof coverage>;

/** `data` of the dataset's metadata. */
export const metadataSchema = z
  .strictObject({
    filename: z
      .string()
      .regex(/\.mmdb$/)
      .describe('File name of the download'),
    format: z.literal('mmdb').describe('Always `mmdb`'),
    size: z.int().positive().describe('Bytes'),
    mtime: z.int().positive().describe('Last change of the file, Unix seconds'),
    mtime_iso: z.iso.datetime().describe('Last change of the file, ISO 8601'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Digest of the file; equals the ETag of the download'),
    build_epoch: z.int().nonnegative().describe('Build of the database, Unix seconds'),
    build_iso: z.iso.datetime().describe('Build of the database, ISO 8601'),
    node_count: z.int().positive().describe('Nodes of the search tree'),
    ip_version: z.union([z.literal(4), z.literal(6)]).describe('6: the tree holds IPv4 and IPv6'),
    languages: z.array(z.string()).describe('Languages of the names'),
    edition: z.string().describe('Database type of this file'),
    editions: z.array(z.string()).describe('Allowed values of `edition`, the default first'),
    md5: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .exactOptional()
      .describe('As updaters compare it; absent for old releases'),
    licence: z
      .strictObject({
        terms: z
          .enum(['free', 'share-alike', 'unstated', 'closed'])
          .describe('The strictest of all sources; `free`: at most attribution'),
        sources: z
          .array(
            z.strictObject({
              source: z.string().describe('Id of the source'),
              publisher: z.string().describe('Its publisher'),
              name: z.string().describe('Name of its licence'),
              url: z.string().describe('Text of its licence'),
            }),
          )
          .describe('Licences of the sources'),
      })
      .describe('Terms of the file'),
    attribution: z.array(z.string()).describe('Lines to show to those who get the data'),
    coverage: coverage.describe('Address space with a record'),
    api: z
      .strictObject({
        sources: z.array(z.string()).describe('Sources of the API’s answers that are not in the file'),
        coverage: coverage.describe('Address space for which the API has an answer'),
      })
      .exactOptional()
      .describe('What the API has beyond the file'),
  })
  .meta({ id: 'DatasetInfo' });
export type Metadata = z.infer<typeof metadataSchema>;

/** Returns the metadata of a dataset in one of its editions. */
export function metadataOf(dataset: Dataset, file: DatasetFile): Metadata {
  const { terms, licences, attributions, coverage, served } = dataset.origin;
  return {
    filename: file.filename,
    format: 'mmdb',
    size: file.sizeBytes,
    mtime: file.modified,
    mtime_iso: isoOf(file.modified),
    sha256: file.sha256,
    build_epoch: file.buildEpoch,
    build_iso: isoOf(file.buildEpoch),
    node_count: file.nodeCount,
    ip_version: file.ipVersion,
    languages: [...file.languages],
    edition: file.type,
    editions: [...dataset.editions.keys()],
    ...(file.md5 !== undefined && { md5: file.md5 }),
    licence: { terms, sources: licences.map((licence) => ({ ...licence })) },
    attribution: [...attributions],
    coverage: coverageOf(coverage),
    ...(served && { api: { sources: [...served.furtherSources], coverage: coverageOf(served.coverage) } }),
  };
}

/** Returns the total, and what has a country, a region and a city: a record of a level has those above it too. */
function coverageOf({ all, byLevel }: Covered): Coverages {
  if (!byLevel) return spaceOf([all]);
  const withAny = (...levels: readonly CoverageLevel[]) =>
    spaceOf(levels.flatMap((level) => byLevel[level] ?? []));
  return {
    ...spaceOf([all]),
    with_country: withAny('country', 'region', 'city'),
    with_region: withAny('region', 'city'),
    with_city: withAny('city'),
  };
}

function spaceOf(parts: readonly Coverage[]): z.infer<typeof space> {
  const sum = (figure: keyof Coverage): number => parts.reduce((total, part) => total + part[figure], 0);
  return {
    networks: sum('networks'),
    ipv4_addresses: sum('ipv4Addresses'),
    ipv6_slash64s: sum('ipv6Slash64s'),
  };
}

/** Formats `2026-11-21T03:00:00Z`. */
function isoOf(epoch: number): string {
  return new Date(epoch * 1000).toISOString().replace('.000Z', 'Z');
}
