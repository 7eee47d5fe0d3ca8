import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import { JsonBounds } from '../input/json-bounds.js';
import { readRawLines } from './raw-lines.js';

/**
 * A line of newline-delimited JSON (https://github.com/ndjson/ndjson-spec). `value` is absent when it is not JSON, or nested
 * too deep.
 */
export interface JsonLine {
  readonly value?: unknown;
  readonly line: number;
  readonly text: string;
}

/** Reads a file of newline-delimited JSON without its blank lines. Throws the errors of `readRawLines`. */
export async function readJsonLines(file: OpenFile): Promise<JsonLine[]> {
  const lines: JsonLine[] = [];
  const undecoded = {
    reject: (_reason: string, line: number, text: string) => void lines.push({ line, text }),
  };
  await readRawLines(file, undecoded, (text, line) => {
    lines.push({ ...parsed(text), line, text });
  });
  return lines;
}

function parsed(text: string): { value?: unknown } {
  try {
    return isShallow(text) ? { value: JSON.parse(text) as unknown } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function isShallow(text: string): boolean {
  try {
    new JsonBounds({ id: '' }).read(Buffer.from(text));
    return true;
  } catch (error) {
    if (error instanceof FeedError) return false;
    throw error;
  }
}
