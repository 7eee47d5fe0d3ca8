import type { z } from 'zod';
import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import { readUnpacked } from '../feeds/unpacked-file.js';

/**
 * Reads a JSON document whole, as `schema` has it; rows inside are best left `unknown` there and judged one by one.
 * Throws FeedError `truncated` when it ends early, `container` when it is no JSON, `header` when it is of another
 * shape, and what `readUnpacked` throws.
 */
export async function readJsonFile<T>(file: OpenFile, schema: z.ZodType<T>): Promise<T> {
  const read = schema.safeParse(parseJson(file, await readText(file)));
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw new FeedError(
    'header',
    file.id,
    `not the document expected: ${['$', ...path].join('.')}: ${message}`,
  );
}

/** The whole text; bytes that are not UTF-8 are refused, a BOM is dropped. Throws FeedError. */
export async function readText(file: OpenFile): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readUnpacked(file)) chunks.push(chunk);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new FeedError('container', file.id, 'not UTF-8', { cause: error });
  }
}

function parseJson(file: OpenFile, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (endsInside(text)) throw new FeedError('truncated', file.id, 'the JSON ends early', { cause: error });
    throw new FeedError('container', file.id, `no JSON: ${error.message}`, { cause: error });
  }
}

/** Whether a text ends within an object or array that it began with. */
function endsInside(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return text.trim() === '';
  let depth = 0;
  // Strings whole, the last one maybe without its end, and the brackets outside of them.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{}]/gsu)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
  }
  return depth > 0;
}
