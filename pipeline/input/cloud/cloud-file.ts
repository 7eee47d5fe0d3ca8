import type { Download, PublishedFile } from '../published-source.js';

/** The folder with the files of all clouds in the input directory. */
export const CLOUD_FOLDER = 'cloud';

/** Creates an optional plain file in the folder of clouds. Without a download it is provided by hand. */
export function cloudFile(name: string, download?: Download): PublishedFile {
  const file = { folder: CLOUD_FOLDER, name, container: 'plain', required: false, take: 'all' } as const;
  return { ...file, ...(download && { download }) };
}
