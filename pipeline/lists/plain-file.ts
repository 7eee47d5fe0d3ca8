import type { Download, PublishedFile } from '../input/published-source.js';

/** Creates an optional plain file of a list. Without a download it is provided by hand. */
export function plainFile(folder: string, name: string, download?: Download): PublishedFile {
  return {
    folder,
    name,
    container: 'plain',
    required: false,
    take: 'all',
    ...(download && { download }),
  };
}
