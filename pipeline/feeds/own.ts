import assert from 'node:assert';
import { readGz, readPlain } from './containers.js';
import type { ClaimSink, Download, Feed, FeedFile, OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';
import { matchesName } from './name-pattern.js';
import { readDelegations } from './own-delegations.js';
import { readGeofeed } from './own-geofeeds.js';
import { combineOwn, OWN_LAYERS } from './own-layers.js';
import { readOverrides } from './own-overrides.js';
import { DOWNLOADS } from './routing-downloads.js';
import { readWhoisList, readWhoisTable } from './own-whois.js';

type ReadRows = (file: OpenFile, bytes: AsyncIterable<Buffer>, sink: ClaimSink) => Promise<void>;

/** A family of files and its reader. */
interface Format {
  readonly file: FeedFile;
  readonly readRows: ReadRows;
}

/** Countries of whois blocks as two files per country (https://github.com/ipverse/geo-ip-blocks), packed by GitHub. */
const IPVERSE: Download = {
  url: 'https://codeload.github.com/ipverse/geo-ip-blocks/zip/refs/heads/master',
  archive: 'zip',
  saveAs: 'geo-ip-blocks.zip',
  minBytes: 500_000,
};

/**
 * The formats in the order in which they are read: within a layer the first row of a prefix stays. So the plain
 * statistics of RIPE NCC only fill the gaps of the extended ones.
 */
const FORMATS: readonly Format[] = [
  { file: optional('own', 'overrides.csv'), readRows: readOverrides },
  { file: { ...optional('own', 'geofeeds/*.csv'), tolerance: 0.2 }, readRows: readGeofeed },
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
 * What is stated rather than observed: our overrides, operators' geofeeds (RFC 8805), countries of whois blocks, and
 * the delegation statistics of the five registries. Every file may be missing, but not all of them: FeedError
 * `missing`.
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
  version: 1,
  tolerance: 0.01,
  layers: OWN_LAYERS,
  combine: combineOwn,
  read: readOwn,
};

async function readOwn(files: readonly OpenFile[], sinkFor: (file: OpenFile) => ClaimSink): Promise<void> {
  if (files.length === 0) throw new FeedError('missing', 'own', 'none of its files is there');
  const steps = FORMATS.flatMap(({ file: pattern, readRows }) =>
    files
      .filter((file) => matches(pattern, file))
      .sort(byId)
      .map((file) => ({ file, readRows })),
  );
  assert.equal(steps.length, files.length, 'every file handed over is declared, once');
  for (const { file, readRows } of steps) {
    const bytes = file.container === 'gz' ? readGz(file) : readPlain(file);
    await readRows(file, bytes, sinkFor(file));
  }
}

/** The extended delegation statistics of a registry. */
function delegations(registry: string): FeedFile {
  const name = `delegated-${registry}-extended-latest`;
  return { ...optional('rir', name), download: DOWNLOADS[name]! };
}

function optional(folder: string, name: string): FeedFile {
  return { folder, name, container: 'plain', required: false, take: 'all' };
}

function matches(pattern: FeedFile, file: OpenFile): boolean {
  return pattern.folder === file.folder && matchesName(pattern.name, file.name);
}

function byId(a: OpenFile, b: OpenFile): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
