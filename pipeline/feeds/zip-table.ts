import type { OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';
import type { ZipArchive } from './zip-archive.js';

/**
 * The name of the one `.csv` entry of a zip; licence texts and the like beside it, and what macOS packs for itself,
 * are passed over. Throws FeedError `missing` when there is none and `container` when there are several.
 */
export function csvEntryOf(file: OpenFile, zip: ZipArchive): string {
  const [entry, ...others] = zip.names.filter(
    (name) => /\.csv$/i.test(name) && !/(^|\/)__MACOSX\//.test(name),
  );
  if (entry === undefined) throw new FeedError('missing', file.id, 'no .csv in the zip');
  if (others.length > 0) {
    throw new FeedError('container', file.id, `${others.length + 1} .csv in the zip where one is expected`);
  }
  return entry;
}
