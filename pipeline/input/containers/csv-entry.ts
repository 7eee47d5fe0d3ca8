import type { OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';
import type { ZipArchive } from './zip-archive.js';

/**
 * Returns the name of the only `.csv` entry of a zip. Ignores other entries, such as licence texts, and the folder that
 * macOS adds. Throws FeedError `missing` when there is none, and `container` when there are several.
 */
export function csvEntryOf(file: OpenFile, zip: ZipArchive): string {
  const [entry, ...others] = zip.names.filter(
    (name) => /\.csv$/i.test(name) && !/(^|\/)__MACOSX\//.test(name),
  );
  if (entry === undefined) throw new FeedError('missing', file.id, 'no .csv entry in the zip');
  if (others.length > 0) {
    throw new FeedError('container', file.id, `${others.length + 1} .csv entries in the zip: expected one`);
  }
  return entry;
}
