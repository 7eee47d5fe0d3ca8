import { DEFAULT_UNPACKED_BYTES } from '../input/containers/unpacked-size.js';
import type { Download, PublishedFile } from '../input/published-source.js';
import { sha256Text } from '../release/digest.js';
import { toldUrl } from './download-address.js';

/** One URL to download and its files: several for an archive. */
export interface PlannedDownload {
  readonly download: Download;
  /** Folder below the downloads. */
  readonly folder: string;
  readonly files: readonly PublishedFile[];
  /** `<folder>/<name>` of the first file, for messages. */
  readonly id: string;
  /** Name of its state file, without extension. */
  readonly key: string;
  /** The publisher's host. */
  readonly host: string;
}

/** Returns the distinct downloads of files, in order. Files without a URL, which people provide, have none. */
export function planDownloads(files: readonly PublishedFile[]): PlannedDownload[] {
  const planned = new Map<string, PlannedDownload>();
  for (const file of files) {
    const { folder, name, download } = file;
    if (!download) continue;
    const id = `${folder} ${download.url}`;
    const known = planned.get(id);
    if (known) {
      if (!known.files.some((other) => other.name === name)) {
        planned.set(id, { ...known, files: [...known.files, file] });
      }
      continue;
    }
    const host = hostOf(download.url);
    planned.set(id, { download, folder, files: [file], id: `${folder}/${name}`, key: keyOf(file), host });
  }
  return [...planned.values()];
}

/** Returns the fallback of a download, kept in the same folder; absent without one. */
export function standIn(planned: PlannedDownload): PlannedDownload | undefined {
  const { fallback } = planned.download;
  const [file] = planned.files;
  if (!fallback || !file) return undefined;
  const folder = file.name.slice(0, file.name.lastIndexOf('/') + 1);
  const files = [{ ...file, name: `${folder}${fallback.saveAs}`, download: fallback }];
  return { ...planned, download: fallback, files, host: hostOf(fallback.url) };
}

/** Returns the maximum unpacked size of a downloaded file; for an archive, the largest of its files. */
export function largestUnpacked({ files }: PlannedDownload): number {
  return Math.max(...files.map(({ maxUnpackedBytes = DEFAULT_UNPACKED_BYTES }) => maxUnpackedBytes));
}

/** Returns the host. Placeholders are allowed in path and query only; a user and a password are not allowed. */
function hostOf(url: string): string {
  const [, host] = /^https?:\/\/([^/{?#@]+)(?:[/?#]|$)/.exec(url) ?? [];
  if (host === undefined) throw new TypeError(`a download needs an http URL with a host: ${toldUrl(url)}`);
  return host;
}

/** Returns a readable key. The digest keeps names distinct that differ only in replaced characters. */
function keyOf({ name, download }: PublishedFile): string {
  return `${name.replace(/[^A-Za-z0-9.-]+/g, '_')}-${sha256Text(download!.url).slice(0, 8)}`;
}
