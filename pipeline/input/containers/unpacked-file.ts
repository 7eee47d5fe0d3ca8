import { readBz2 } from './bunzip.js';
import { readGz, readPlain } from './containers.js';
import type { Container, OpenFile } from '../published-source.js';

/**
 * Yields the unpacked bytes of a file in chunks, for every container except zip, which has entries. Throws FeedError
 * `container` when the file is not in its declared container, `truncated` when it is damaged or ends early, and `too-large`.
 */
export function readUnpacked(file: OpenFile): AsyncGenerator<Buffer, void, undefined> {
  return READERS[file.container](file);
}

const READERS: Readonly<Record<Container, (file: OpenFile) => AsyncGenerator<Buffer, void, undefined>>> = {
  gz: readGz,
  bz2: (file) => readBz2(file),
  plain: readPlain,
  zip: ({ id }) => {
    throw new Error(`${id}: a zip has entries and cannot be read as one file`);
  },
};
