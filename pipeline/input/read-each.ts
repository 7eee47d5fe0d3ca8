import type { OpenFile } from './published-source.js';
import { FeedError, RefusedFiles } from './feed-error.js';

/**
 * Reads files one after the other and reports all unusable files together. Throws FeedError for one unusable file,
 * RefusedFiles for several, and FeedError `missing` when `files` is empty.
 */
export async function readEach(
  source: string,
  files: readonly OpenFile[],
  read: (file: OpenFile) => Promise<void> | void,
): Promise<void> {
  if (files.length === 0) throw new FeedError('missing', source, 'none of its files exists');
  const refused: FeedError[] = [];
  for (const file of files) {
    try {
      await read(file);
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
      refused.push(error);
    }
  }
  if (refused.length === 1) throw refused[0]!;
  if (refused.length > 1) throw new RefusedFiles(refused);
}
