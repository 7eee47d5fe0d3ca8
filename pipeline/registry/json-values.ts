import { JSONParser, TokenizerError, TokenParserError } from '@streamparser/json';
import { readPlain } from '../feeds/containers.js';
import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';

/**
 * Reads some values out of a JSON file of any size, keeping nothing of the rest. `paths` are `$.roas.*` and the like;
 * `visit` gets each value with the name of the top-level member that it stands in (or is).
 * Throws FeedError `truncated` when the file ends early, `container` when it is no JSON; what `visit` throws; what
 * `readPlain` throws.
 */
export async function readJsonValues(
  file: OpenFile,
  paths: readonly string[],
  visit: (member: string, value: unknown) => void,
): Promise<void> {
  const parser = new JSONParser({ paths: [...paths], keepStack: false });
  parser.onValue = ({ value, key, stack }) => {
    visit(String(stack[1]?.key ?? key), value);
  };
  for await (const chunk of readPlain(file)) {
    try {
      parser.write(chunk);
    } catch (error) {
      throw isNoJson(error) ? noJson(file, error) : error;
    }
  }
  if (!parser.isEnded) throw new FeedError('truncated', file.id, 'the JSON ends early');
}

function noJson(file: OpenFile, error: Error): FeedError {
  return new FeedError('container', file.id, `no JSON: ${error.message}`, { cause: error });
}

/** Bytes that are not UTF-8 are an error of the decoder's. */
function isNoJson(error: unknown): error is Error {
  if (error instanceof TokenizerError || error instanceof TokenParserError) return true;
  return error instanceof Error && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}
