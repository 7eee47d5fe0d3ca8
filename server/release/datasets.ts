import { join } from 'node:path';
import type { Manifest, ManifestEdition, ManifestFile } from '../../pipeline/release/contract.js';
import type { ReadFile } from './read-files.js';
import { sequenceOf } from './sequence.js';
import {
  DATASET_NAMES,
  ReleaseRefused,
  type Covered,
  type Dataset,
  type DatasetFile,
  type DatasetName,
  type DatasetOrigin,
} from './snapshot.js';

const STEMS: Readonly<Record<DatasetName, string>> = { mmdb: 'geo', asn: 'asn', isp: 'isp' };

/**
 * Returns the datasets of a release that customers download, with their editions. `read` has the verified files, and the
 * bytes of the editions' metadata. Throws ReleaseRefused when an edition does not fit its file.
 */
export function datasetsOf(
  dir: string,
  manifest: Manifest,
  read: ReadonlyMap<string, ReadFile>,
): ReadonlyMap<DatasetName, Dataset> {
  const found = new Map<DatasetName, Dataset>();
  for (const name of DATASET_NAMES) {
    const fileName = `download/${STEMS[name]}.mmdb`;
    const entry = manifest.files.find((file) => file.kind === 'download' && file.name === fileName);
    const modified = entry && read.get(fileName)?.modified;
    if (!entry || modified === undefined) continue;
    const file = fileOf(dir, entry, { stem: STEMS[name], modified });
    const editions = editionsOf(file, entry, { manifest, read });
    const origin = originOf(entry, manifest, `${STEMS[name]}.mmdb`);
    const sequence = sequenceOf(fileName, file, { dir, manifest, read });
    found.set(name, Object.freeze({ ...file, editions, origin, sequence }));
  }
  return found;
}

function fileOf(
  dir: string,
  entry: ManifestFile,
  { stem, modified }: { readonly stem: string; readonly modified: number },
): DatasetFile {
  const { name, databaseType, sizeBytes, sha256, md5, buildEpoch, nodeCount, ipVersion, languages } = entry;
  return Object.freeze({
    path: join(dir, name),
    type: databaseType.split(' ', 1)[0]!,
    filename: `ipatlas-${stem}-${dateOf(buildEpoch)}.mmdb`,
    sizeBytes,
    modified,
    sha256,
    ...(md5 !== undefined && { md5 }),
    buildEpoch,
    nodeCount,
    ipVersion,
    languages,
  });
}

/** Returns the file and its editions by type. */
function editionsOf(
  file: DatasetFile,
  entry: ManifestFile,
  { manifest, read }: { readonly manifest: Manifest; readonly read: ReadonlyMap<string, ReadFile> },
): ReadonlyMap<string, DatasetFile> {
  const editions = new Map([[file.type, file]]);
  for (const edition of manifest.editions ?? []) {
    const bytes = read.get(edition.name)?.bytes;
    if (edition.of !== entry.name || !bytes) continue;
    checkFit(edition, entry);
    const { type, bodyBytes, whole } = edition;
    const filename = `${type}-${dateOf(entry.buildEpoch)}.mmdb`;
    const ending = { fileBytes: entry.sizeBytes, bodyBytes, bytes };
    editions.set(type, Object.freeze({ ...file, ...whole, type, filename, ending }));
  }
  return editions;
}

function checkFit({ name, bodyBytes, sizeBytes, whole }: ManifestEdition, file: ManifestFile): void {
  if (bodyBytes > file.sizeBytes || bodyBytes + sizeBytes !== whole.sizeBytes)
    throw new ReleaseRefused(
      name,
      `${bodyBytes} bytes of ${file.name} (${file.sizeBytes} bytes) and ${sizeBytes} bytes are not ${whole.sizeBytes}`,
    );
}

function originOf(file: ManifestFile, { files, inputs }: Manifest, servedName: string): DatasetOrigin {
  const served = files.find(({ kind, name }) => kind === 'served' && name === servedName);
  const licences = inputs
    .filter(({ feed }) => file.sources.includes(feed))
    .map(({ feed, publisher, licence: { name, url } }) => ({ source: feed, publisher, name, url }));
  return {
    terms: file.terms,
    licences,
    attributions: file.attributions,
    coverage: coveredBy(file),
    ...(served && {
      served: {
        furtherSources: served.sources.filter((source) => !file.sources.includes(source)),
        coverage: coveredBy(served),
      },
    }),
  };
}

function coveredBy({ coverage, coverageByLevel }: ManifestFile): Covered {
  return { all: coverage, ...(coverageByLevel && { byLevel: coverageByLevel }) };
}

/** Formats seconds since 1970 as `YYYYMMDD` in UTC. */
function dateOf(buildEpoch: number): string {
  return new Date(buildEpoch * 1000).toISOString().slice(0, 10).replaceAll('-', '');
}
