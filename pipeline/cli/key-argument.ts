import { UsageError } from './usage-error.js';

/** Longer input is no key. */
const MOST_CHARACTERS = 1000;

/**
 * Returns the key that an argument names. `-` reads it from standard input, so it is neither in the list of processes
 * nor in the history of the shell. Throws UsageError without a key.
 */
export async function keyFrom(argument: string, stdin: NodeJS.ReadableStream): Promise<string> {
  if (argument !== '-') return argument;
  let text = '';
  for await (const chunk of stdin) {
    text += chunk.toString();
    if (text.trim().includes('\n') || text.length > MOST_CHARACTERS) break;
  }
  const key = text.trim().split('\n', 1)[0]!.trim();
  if (key === '' || key.length > MOST_CHARACTERS)
    throw new UsageError('no key on standard input: expected one line with an API key');
  return key;
}
