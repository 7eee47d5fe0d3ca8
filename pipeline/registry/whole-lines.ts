import { readPlain } from '../input/containers/containers.js';
import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';

/**
 * Yields the bytes of a text file in chunks. Throws FeedError `truncated` after the last chunk if the text does not end
 * with a line end, because a line that is cut could look like a shorter line. Throws the errors of `readPlain`.
 */
export async function* readWholeLines(file: OpenFile): AsyncGenerator<Buffer, void, undefined> {
  let last = LF;
  for await (const chunk of readPlain(file)) {
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== LF) throw new FeedError('truncated', file.id, 'the last line has no line end');
}

const LF = 10;
