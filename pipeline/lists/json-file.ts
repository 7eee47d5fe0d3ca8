import type { z } from 'zod';
import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import { readUnpacked } from '../input/containers/unpacked-file.js';

/**
 * Reads a whole JSON document and checks it against `schema`. Schemas keep rows `unknown`, which are then checked one
 * by one. Throws FeedError `truncated` when the document ends early, `container` when it is not JSON, and `header` when
 * it does not match the schema; also the errors of `readUnpacked`.
 */
export async function readJsonFile<T>(file: OpenFile, schema: z.ZodType<T>): Promise<T> {
  const read = schema.safeParse(parseJson(file, await readText(file)));
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw new FeedError('header', file.id, `unexpected document: ${['$', ...path].join('.')}: ${message}`);
}

/** Reads a whole file as UTF-8 and drops a BOM. Throws FeedError `container` when it is not UTF-8. */
export async function readText(file: OpenFile): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readUnpacked(file)) chunks.push(chunk);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new FeedError('container', file.id, 'invalid UTF-8', { cause: error });
  }
}

function parseJson(file: OpenFile, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (endsInside(text)) throw new FeedError('truncated', file.id, 'ends inside its JSON', { cause: error });
    throw new FeedError('container', file.id, `not JSON: ${error.message}`, { cause: error });
  }
}

/** Whether a text ends inside the object or array that it begins with. */
function endsInside(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return text.trim() === '';
  let depth = 0;
  // Matches whole strings (the last one may lack its end) and the brackets outside of strings.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{}]/gsu)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
  }
  return depth > 0;
}
