import type { Download, FeedFile } from '../feeds/feed.js';
import { sha256Text } from '../release/digest.js';
import { toldUrl } from './download-address.js';

/** One URL to download, and the files that come of it: several where it is an archive. */
export interface PlannedDownload {
  readonly download: Download;
  /** Folder below the downloads. */
  readonly folder: string;
  readonly files: readonly FeedFile[];
  /** `<folder>/<name>` of the first file, for messages. */
  readonly id: string;
  /** File name of what is remembered about it. */
  readonly key: string;
  /** The publisher's host. */
  readonly host: string;
}

/** The downloads behind some files, each once, in their order; files that only people provide have none. */
export function planDownloads(files: readonly FeedFile[]): PlannedDownload[] {
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

/** What to ask for where nothing of a download could be had: its fallback, kept in the same folder. */
export function standIn(planned: PlannedDownload): PlannedDownload | undefined {
  const { fallback } = planned.download;
  const [file] = planned.files;
  if (!fallback || !file) return undefined;
  const folder = file.name.slice(0, file.name.lastIndexOf('/') + 1);
  const files = [{ ...file, name: `${folder}${fallback.saveAs}`, download: fallback }];
  return { ...planned, download: fallback, files, host: hostOf(fallback.url) };
}

/** Placeholders may stand in a URL's path and query, never in its host; a user and a password stand in none. */
function hostOf(url: string): string {
  const [, host] = /^https?:\/\/([^/{?#@]+)(?:[/?#]|$)/.exec(url) ?? [];
  if (host === undefined) throw new TypeError(`a download needs an http URL with a host: ${toldUrl(url)}`);
  return host;
}

/** Readable, and distinct where two names differ only in what no file name can hold. */
function keyOf({ name, download }: FeedFile): string {
  return `${name.replace(/[^A-Za-z0-9.-]+/g, '_')}-${sha256Text(download!.url).slice(0, 8)}`;
}
