import assert from 'node:assert';
import { readGz, readPlain } from '../../input/containers/containers.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import { AWS_RANGES } from '../../input/cloud/aws-ranges.js';
import { CLOUDFLARE_RANGES } from '../../input/cloud/cloudflare-ranges.js';
import { AZURE_TAGS, newestTags } from '../../input/cloud/azure-tags.js';
import { GOOGLE_CLOUD_RANGES } from '../../input/cloud/google-ranges.js';
import { ORACLE_RANGES } from '../../input/cloud/oracle-ranges.js';
import { objectFiles } from '../../input/peeringdb/object-files.js';
import type { Download, PublishedFile, OpenFile } from '../../input/published-source.js';
import type { Feed } from '../feed.js';
import { FeedError } from '../../input/feed-error.js';
import { matchesName } from '../../input/name-pattern.js';
import { ANYCAST_FILES, LISTED_ANYCAST, readAnycastList, readCloudflareRanges } from './anycast.js';
import { readAwsPlaces, readAzurePlaces, readGooglePlaces, readOraclePlaces } from './clouds.js';
import { readDelegations } from './delegations.js';
import { EXCHANGE_CLAIMS, EXCHANGE_KINDS, readExchanges } from './exchanges.js';
import { GEOFEED_FILES, readGeofeedFiles } from './geofeed-files.js';
import { combineOwn, combineUnstated, OWN_LAYERS } from './layers.js';
import { readOverrides } from './overrides.js';
import { DOWNLOADS } from '../../input/routing-downloads.js';
import { readWhoisList, readWhoisTable } from './whois.js';

type SinkFor = (file: OpenFile) => ClaimSink;

/** Files that are read together, with their reader. */
interface Format {
  readonly files: readonly PublishedFile[];
  readonly read: (files: readonly OpenFile[], sinkFor: SinkFor) => Promise<void>;
}

/** Countries of whois blocks, two files per country, as a zip of GitHub (https://github.com/ipverse/geo-ip-blocks). */
const IPVERSE: Download = {
  url: 'https://codeload.github.com/ipverse/geo-ip-blocks/zip/refs/heads/master',
  archive: 'zip',
  saveAs: 'geo-ip-blocks.zip',
  minBytes: 500_000,
};

/** The maximum age in days of copies of such statements. Lists of clouds have the same. */
const STATEMENT_DAYS = 180;

/** The statistics of the registries, in reading order. */
const STATISTICS: readonly PublishedFile[] = [
  ...['afrinic', 'apnic', 'arin', 'lacnic', 'ripencc'].map(delegations),
  optional('rir', 'delegated-ripencc-latest'),
];

/**
 * The formats in reading order. Within a layer the first row of a prefix is kept: the plain statistics of RIPE NCC only
 * fill gaps of the extended ones.
 */
const FORMATS: readonly Format[] = [
  rowsOf({ ...optional('own', 'overrides.csv'), handWritten: true }, readOverrides),
  { files: GEOFEED_FILES, read: readGeofeedFiles },
  eachOf(ageing(AWS_RANGES), readAwsPlaces),
  eachOf(ageing(GOOGLE_CLOUD_RANGES), readGooglePlaces),
  { files: AZURE_TAGS.map(ageing), read: readNewestTags },
  eachOf(ageing(ORACLE_RANGES), readOraclePlaces),
  ...CLOUDFLARE_RANGES.map((file) => rowsOf(ageing(file), readCloudflareRanges)),
  { files: objectFiles(EXCHANGE_KINDS).map(ageing), read: readExchanges },
  ...ANYCAST_FILES.map((file) => rowsOf(ageing(file), readAnycastList)),
  rowsOf({ ...optional('whois-country', 'ipv4.tsv.gz'), container: 'gz' }, readWhoisTable),
  rowsOf({ ...optional('whois-country', 'ipv6.tsv.gz'), container: 'gz' }, readWhoisTable),
  rowsOf({ ...optional('own', 'country/*/*-ipv4.txt'), download: IPVERSE }, readWhoisList),
  rowsOf({ ...optional('own', 'country/*/*-ipv6.txt'), download: IPVERSE }, readWhoisList),
  { files: STATISTICS, read: readDelegations },
];

/**
 * Stated data, as opposed to observations: our overrides, geofeeds of operators (RFC 8805, RFC 9632), the regions of
 * clouds, the LANs of internet exchanges, countries of whois blocks, and the delegation statistics of the five
 * registries; besides, lists of anycast networks. Every file is optional, but reading throws FeedError `missing` without
 * any file. The places of exchanges are borrowed from PeeringDB, under its terms; the lists of anycast networks have no
 * licence.
 */
export const own: Feed = {
  id: 'own',
  publisher: 'our overrides, operators (RFC 8805), clouds, exchanges and the regional internet registries',
  licence: {
    name: 'CC0, public registration data and operators’ own publications; PeeringDB’s terms for exchanges, none stated for anycast lists',
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    terms: 'free',
  },
  files: FORMATS.flatMap(({ files }) => files),
  cadence: 'daily',
  version: 8,
  tolerance: 0.01,
  layers: OWN_LAYERS,
  combine: combineOwn,
  combineUnstated,
  borrowed: [EXCHANGE_CLAIMS, LISTED_ANYCAST],
  read: readOwn,
};

async function readOwn(files: readonly OpenFile[], sinkFor: SinkFor): Promise<void> {
  if (files.length === 0) throw new FeedError('missing', 'own', 'none of its files exists');
  const steps = FORMATS.map(({ files: patterns, read }) => {
    const found = files.filter((file) => patterns.some((pattern) => matches(pattern, file)));
    return { found: found.sort(byId), read };
  });
  const read = steps.reduce((sum, { found }) => sum + found.length, 0);
  assert.equal(read, files.length, 'every file must match exactly one format');
  for (const step of steps) await step.read(step.found, sinkFor);
}

/** A format of which each file is read by itself. */
function eachOf(file: PublishedFile, read: (file: OpenFile, sink: ClaimSink) => Promise<void>): Format {
  return {
    files: [file],
    read: async (files, sinkFor) => {
      for (const found of files) await read(found, sinkFor(found));
    },
  };
}

/** A format of which each file is read row by row, unpacked. */
function rowsOf(
  file: PublishedFile,
  readRows: (file: OpenFile, bytes: AsyncIterable<Buffer>, sink: ClaimSink) => Promise<void>,
): Format {
  return eachOf(file, (found, sink) => {
    return readRows(found, found.container === 'gz' ? readGz(found) : readPlain(found), sink);
  });
}

async function readNewestTags(files: readonly OpenFile[], sinkFor: SinkFor): Promise<void> {
  const newest = newestTags(files);
  if (newest) await readAzurePlaces(newest, sinkFor(newest));
}

/** A file of a cloud, of PeeringDB or of anycast networks. Networks move: an old copy would state what is no longer true. */
function ageing(file: PublishedFile): PublishedFile {
  return { ...file, maxAgeDays: STATEMENT_DAYS };
}

/** The extended delegation statistics of a registry. */
function delegations(registry: string): PublishedFile {
  const name = `delegated-${registry}-extended-latest`;
  return { ...optional('rir', name), download: DOWNLOADS[name]! };
}

function optional(folder: string, name: string): PublishedFile {
  return { folder, name, container: 'plain', required: false, take: 'all', maxUnpackedBytes: 512_000_000 };
}

function matches(pattern: PublishedFile, file: OpenFile): boolean {
  return pattern.folder === file.folder && matchesName(pattern.name, file.name);
}

function byId(a: OpenFile, b: OpenFile): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
