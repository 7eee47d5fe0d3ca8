import type { Download, FeedFile } from '../feeds/feed.js';

/** A file of a list that is no archive and that the list can do without; without a download, people provide it. */
export function plainFile(folder: string, name: string, download?: Download): FeedFile {
  return {
    folder,
    name,
    container: 'plain',
    required: false,
    take: 'all',
    ...(download && { download }),
  };
}
