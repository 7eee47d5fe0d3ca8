import type { z } from 'zod';
import type { OpenFile } from './published-source.js';
import { FeedError } from './feed-error.js';
import { JsonBounds } from './json-bounds.js';
import { readUnpacked } from './containers/unpacked-file.js';

/**
 * Reads a whole JSON document and checks it against `schema`. Schemas keep rows `unknown`, which are then checked one
 * by one. Throws FeedError `truncated` when the document ends early, `container` when it is not JSON, and `header` when
 * it does not match the schema; also the errors of `JsonBounds` and `readUnpacked`.
 */
export async function readJsonFile<T>(file: OpenFile, schema: z.ZodType<T>): Promise<T> {
  const bounds = new JsonBounds(file);
  const text = await readText(file, (chunk) => {
    bounds.read(chunk);
  });
  const read = schema.safeParse(parseJson(file, text, bounds));
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw new FeedError('header', file.id, `unexpected document: ${['$', ...path].join('.')}: ${message}`);
}

/**
 * Reads a whole file as UTF-8 and drops a BOM. `check` receives its chunks. Throws FeedError `container` when it is not
 * UTF-8, and the errors of `check`.
 */
export async function readText(
  file: OpenFile,
  check: (chunk: Buffer) => void = () => undefined,
): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readUnpacked(file)) {
    check(chunk);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new FeedError('container', file.id, 'invalid UTF-8', { cause: error });
  }
}

function parseJson(file: OpenFile, text: string, bounds: JsonBounds): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const isCut = /^\s*[[{]/.test(text) ? bounds.isOpen : text.trim() === '';
    if (isCut) throw new FeedError('truncated', file.id, 'ends inside its JSON', { cause: error });
    throw new FeedError('container', file.id, `not JSON: ${error.message}`, { cause: error });
  }
}
