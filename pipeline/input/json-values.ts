import assert from 'node:assert/strict';
import { JSONParser, TokenizerError, TokenParserError } from '@streamparser/json';
import { readPlain } from './containers/containers.js';
import type { OpenFile } from './published-source.js';
import { FeedError } from './feed-error.js';
import { JsonBounds } from './json-bounds.js';

/**
 * Reads selected values of a JSON file of any size without keeping the rest in memory. `paths` are paths such as
 * `$.roas.*`, all of the same depth, at which the size of a value is limited. `visit` gets each value with the names of
 * its top-level member and of itself (an array has indices). Throws FeedError: `truncated` if the JSON ends early,
 * `container` if it is invalid. Also throws the errors of `JsonBounds`, `visit` and `readPlain`.
 */
export async function readJsonValues(
  file: OpenFile,
  paths: readonly string[],
  visit: (member: string, value: unknown, name: string) => void,
): Promise<void> {
  const depths = new Set(paths.map((path) => path.split('.').length - 1));
  assert.equal(depths.size, 1, `paths of one depth: ${paths.join(', ')}`);
  const [valueDepth] = [...depths] as [number];
  const parser = new JSONParser({ paths: [...paths], keepStack: false });
  parser.onValue = ({ value, key, stack }) => {
    visit(String(stack[1]?.key ?? key), value, String(key));
  };
  const bounds = new JsonBounds(file, { valueDepth });
  for await (const chunk of readPlain(file)) {
    bounds.read(chunk);
    try {
      parser.write(chunk);
    } catch (error) {
      throw isNoJson(error) ? noJson(file, error) : error;
    }
  }
  if (!parser.isEnded) throw new FeedError('truncated', file.id, 'the JSON ends early');
}

function noJson(file: OpenFile, error: Error): FeedError {
  return new FeedError('container', file.id, `invalid JSON: ${error.message}`, { cause: error });
}

/** Bytes that are not UTF-8 cause an error of the text decoder. */
function isNoJson(error: unknown): error is Error {
  if (error instanceof TokenizerError || error instanceof TokenParserError) return true;
  return error instanceof Error && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}
