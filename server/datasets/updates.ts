import type { Answer } from '../http/answer.js';
import type { Call } from '../http/route.js';
import { Failure } from '../failure.js';
import type { DownloadMeter } from '../ledger/meters/download-meter.js';
import type { Dataset, DatasetFile, DatasetName, Snapshot } from '../release/snapshot.js';
import { archived, dayOf, gzipped } from './archive.js';
import { isNotModified, lastModifiedOf } from './conditions.js';
import { licenceLink } from './licence-link.js';
import { openMetered } from './metered-file.js';

/** An edition as updaters find it: by its type alone. */
export interface FoundEdition {
  readonly dataset: Dataset;
  readonly name: DatasetName;
  readonly file: DatasetFile & { readonly md5: string };
}

/** Finds an edition of any dataset. Throws Failure(404) with the editions of this release. */
export function findEdition({ datasets }: Snapshot, type: string): FoundEdition {
  const known: string[] = [];
  for (const [name, dataset] of datasets) {
    for (const file of dataset.editions.values()) {
      // Files of a release from before editions have no md5, which updaters require.
      if (!hasMd5(file)) continue;
      if (file.type === type) return { dataset, name, file };
      known.push(file.type);
    }
  }
  const reason = known.length === 0 ? 'the current release has no editions' : `expected ${known.join(', ')}`;
  throw new Failure(404, `unknown edition: ${reason}`);
}

function hasMd5(file: DatasetFile): file is FoundEdition['file'] {
  return file.md5 !== undefined;
}

/** The request of an updater. */
interface UpdateCall extends Pick<Call<unknown, unknown, unknown>, 'method' | 'headers'> {
  readonly accountId: number;
}

/**
 * Answers an updater that sends the md5 of its file: 304 if it is this one, else the file in gzip. Only a sent file
 * counts as a download. Throws as `openMetered`.
 */
export async function updateOf(
  { method, accountId }: UpdateCall,
  { edition, md5 }: { readonly edition: FoundEdition; readonly md5: string | undefined },
  meter: DownloadMeter,
): Promise<Answer> {
  const { dataset, name, file } = edition;
  const headers = {
    'Last-Modified': lastModifiedOf(file),
    'X-Database-MD5': file.md5,
    ...licenceLink(dataset.origin),
  };
  if (md5?.toLowerCase() === file.md5) return { kind: 'stream', status: 304, headers };
  const described = { ...headers, ...attachment(`${file.type}.mmdb.gz`) };
  if (method === 'HEAD') return { kind: 'stream', status: 200, headers: described };
  const { opened, headers: counts, unsent } = await openMetered({ accountId, dataset: name, file }, meter);
  const stream = gzipped(opened.stream({ start: 0, end: file.sizeBytes - 1 }));
  return { kind: 'stream', status: 200, headers: { ...described, ...counts }, stream, unsent };
}

/** Answers an updater with an archive of an edition; 304 if it has not changed since its date. Throws as `openMetered`. */
export async function archiveOf(
  { method, headers, accountId }: UpdateCall,
  { dataset, name, file }: FoundEdition,
  meter: DownloadMeter,
): Promise<Answer> {
  const fixed = { 'Last-Modified': lastModifiedOf(file), ...licenceLink(dataset.origin) };
  // The archive has no entity tag: its bytes are not those of the file.
  const since = headers['if-modified-since'];
  if (since !== undefined && isNotModified({ 'if-modified-since': since }, file))
    return { kind: 'stream', status: 304, headers: fixed };
  const described = { ...fixed, ...attachment(`${file.type}_${dayOf(file)}.tar.gz`) };
  if (method === 'HEAD') return { kind: 'stream', status: 200, headers: described };
  const { opened, headers: counts, unsent } = await openMetered({ accountId, dataset: name, file }, meter);
  const stream = archived(opened, file, dataset);
  return { kind: 'stream', status: 200, headers: { ...described, ...counts }, stream, unsent };
}

function attachment(filename: string): Record<string, string> {
  return {
    'Content-Type': 'application/gzip',
    'Content-Disposition': `attachment; filename="${filename}"`,
  };
}
