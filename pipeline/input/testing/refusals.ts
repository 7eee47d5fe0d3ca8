import { FeedError, RefusedFiles } from '../feed-error.js';

/** Returns `<file> <refusal>` of every refused file. Rethrows other errors. */
export async function refusalsOf(result: Promise<unknown>): Promise<string[]> {
  const refused = await refusedBy(result);
  return refused.map(({ file, refusal }) => `${file} ${refusal}`);
}

/** Returns the FeedErrors of refused files. Rethrows other errors. */
export async function refusedBy(result: Promise<unknown>): Promise<readonly FeedError[]> {
  try {
    await result;
    return [];
  } catch (error) {
    if (error instanceof RefusedFiles) return error.refusals;
    if (error instanceof FeedError) return [error];
    throw error;
  }
}
