import { join } from 'node:path';
import type { Manifest } from '../../pipeline/release/contract.js';
import type { ReadFile } from './read-files.js';
import { DATASET_NAMES, type DatasetFile, type DatasetName } from './snapshot.js';

/** The files that customers download, of those a release has. */
export function datasetFiles(
  dir: string,
  { files }: Manifest,
  read: ReadonlyMap<string, ReadFile>,
): ReadonlyMap<DatasetName, DatasetFile> {
  const found = new Map<DatasetName, DatasetFile>();
  for (const name of DATASET_NAMES) {
    const stem = STEMS[name];
    const file = files.find((entry) => entry.kind === 'download' && entry.name === `download/${stem}.mmdb`);
    const modified = file && read.get(file.name)?.modified;
    if (!file || modified === undefined) continue;
    const { sizeBytes, sha256, buildEpoch, nodeCount, ipVersion, languages } = file;
    const path = join(dir, file.name);
    const filename = `ipatlas-${stem}-${dateOf(buildEpoch)}.mmdb`;
    const dataset = {
      path,
      filename,
      sizeBytes,
      modified,
      sha256,
      buildEpoch,
      nodeCount,
      ipVersion,
      languages,
    };
    found.set(name, Object.freeze(dataset));
  }
  return found;
}

const STEMS: Readonly<Record<DatasetName, string>> = { mmdb: 'geo', asn: 'asn', isp: 'isp' };

/** `YYYYMMDD` in UTC of seconds since 1970. */
function dateOf(buildEpoch: number): string {
  return new Date(buildEpoch * 1000).toISOString().slice(0, 10).replaceAll('-', '');
}
