import { readBz2 } from './bunzip.js';
import { readGz, readPlain } from './containers.js';
import type { Container, OpenFile } from './feed.js';

/**
 * The unpacked bytes of a file, in chunks, whatever container it is in but a zip, which holds many. Throws FeedError
 * `container` when it is in another one than its name promises, `truncated` when it is damaged or ends early.
 */
export function readUnpacked(file: OpenFile): AsyncGenerator<Buffer, void, undefined> {
  return READERS[file.container](file);
}

const READERS: Readonly<Record<Container, (file: OpenFile) => AsyncGenerator<Buffer, void, undefined>>> = {
  gz: readGz,
  bz2: (file) => readBz2(file),
  plain: readPlain,
  zip: ({ id }) => {
    throw new Error(`${id}: a zip is read entry by entry`);
  },
};
