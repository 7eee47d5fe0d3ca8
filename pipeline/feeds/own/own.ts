import assert from 'node:assert';
import { readGz, readPlain } from '../../input/containers/containers.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { Download, PublishedFile, OpenFile } from '../../input/published-source.js';
import type { Feed } from '../feed.js';
import { FeedError } from '../../input/feed-error.js';
import { matchesName } from '../../input/name-pattern.js';
import { readDelegations } from './delegations.js';
import { readGeofeed } from './geofeeds.js';
import { combineOwn, OWN_LAYERS } from './layers.js';
import { readOverrides } from './overrides.js';
import { DOWNLOADS } from '../../input/routing-downloads.js';
import { readWhoisList, readWhoisTable } from './whois.js';

type ReadRows = (file: OpenFile, bytes: AsyncIterable<Buffer>, sink: ClaimSink) => Promise<void>;

/** A family of files, with its reader. */
interface Format {
  readonly file: PublishedFile;
  readonly readRows: ReadRows;
}

/** Countries of whois blocks, two files per country, as a zip of GitHub (https://github.com/ipverse/geo-ip-blocks). */
const IPVERSE: Download = {
  url: 'https://codeload.github.com/ipverse/geo-ip-blocks/zip/refs/heads/master',
  archive: 'zip',
  saveAs: 'geo-ip-blocks.zip',
  minBytes: 500_000,
};

/**
 * The formats in reading order. Within a layer the first row of a prefix is kept: the plain statistics of RIPE NCC only
 * fill gaps of the extended ones.
 */
const FORMATS: readonly Format[] = [
  { file: optional('own', 'overrides.csv'), readRows: readOverrides },
  {
    file: { ...optional('own', 'geofeeds/*.csv'), tolerance: 0.2, maxUnpackedBytes: 50_000_000 },
    readRows: readGeofeed,
  },
  { file: { ...optional('whois-country', 'ipv4.tsv.gz'), container: 'gz' }, readRows: readWhoisTable },
  { file: { ...optional('whois-country', 'ipv6.tsv.gz'), container: 'gz' }, readRows: readWhoisTable },
  { file: { ...optional('own', 'country/*/*-ipv4.txt'), download: IPVERSE }, readRows: readWhoisList },
  { file: { ...optional('own', 'country/*/*-ipv6.txt'), download: IPVERSE }, readRows: readWhoisList },
  { file: delegations('afrinic'), readRows: readDelegations },
  { file: delegations('apnic'), readRows: readDelegations },
  { file: delegations('arin'), readRows: readDelegations },
  { file: delegations('lacnic'), readRows: readDelegations },
  { file: delegations('ripencc'), readRows: readDelegations },
  { file: optional('rir', 'delegated-ripencc-latest'), readRows: readDelegations },
];

/**
 * Stated data, as opposed to observations: our overrides, geofeeds of operators (RFC 8805), countries of whois blocks,
 * and the delegation statistics of the five registries. Every file is optional, but reading throws FeedError `missing`
 * without any file.
 */
export const own: Feed = {
  id: 'own',
  publisher: 'our overrides, operators (RFC 8805) and the regional internet registries',
  licence: {
    name: 'CC0, public registration data and operators’ own publications',
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    terms: 'free',
  },
  files: FORMATS.map((format) => format.file),
  cadence: 'daily',
  version: 2,
  tolerance: 0.01,
  layers: OWN_LAYERS,
  combine: combineOwn,
  read: readOwn,
};

async function readOwn(files: readonly OpenFile[], sinkFor: (file: OpenFile) => ClaimSink): Promise<void> {
  if (files.length === 0) throw new FeedError('missing', 'own', 'none of its files exists');
  const steps = FORMATS.flatMap(({ file: pattern, readRows }) =>
    files
      .filter((file) => matches(pattern, file))
      .sort(byId)
      .map((file) => ({ file, readRows })),
  );
  assert.equal(steps.length, files.length, 'every file must match exactly one format');
  for (const { file, readRows } of steps) {
    const bytes = file.container === 'gz' ? readGz(file) : readPlain(file);
    await readRows(file, bytes, sinkFor(file));
  }
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
