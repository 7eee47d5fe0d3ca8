import type { OpenFile } from './feed.js';
import { FeedError, RefusedFiles } from './feed-error.js';

/**
 * Reads files one after the other. What is unusable is told together, so that all of it is replaced at once: throws
 * the FeedError of one file, RefusedFiles for several, FeedError `missing` when there is no file at all.
 */
export async function readEach(
  source: string,
  files: readonly OpenFile[],
  read: (file: OpenFile) => Promise<void> | void,
): Promise<void> {
  if (files.length === 0) throw new FeedError('missing', source, 'none of its files is there');
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
