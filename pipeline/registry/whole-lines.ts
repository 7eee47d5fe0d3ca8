import { readPlain } from '../feeds/containers.js';
import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';

/**
 * The bytes of a text that ends with a line end, in chunks. Throws FeedError `truncated` behind the last one when
 * there is none: what was cut inside a line could pass for a shorter one. Throws what `readPlain` throws.
 */
export async function* readWholeLines(file: OpenFile): AsyncGenerator<Buffer, void, undefined> {
  let last = LF;
  for await (const chunk of readPlain(file)) {
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== LF) throw new FeedError('truncated', file.id, 'the last line has no end');
}

const LF = 10;
