import { FeedError, RefusedFiles } from '../../feeds/feed-error.js';

/** `<file> <refusal>` of every file that a reading refuses; none when it uses all of them. Throws other errors. */
export async function refusalsOf(reading: Promise<unknown>): Promise<string[]> {
  const refused = await refusedBy(reading);
  return refused.map(({ file, refusal }) => `${file} ${refusal}`);
}

/** The refused files of a reading. */
export async function refusedBy(reading: Promise<unknown>): Promise<readonly FeedError[]> {
  try {
    await reading;
    return [];
  } catch (error) {
    if (error instanceof RefusedFiles) return error.refusals;
    if (error instanceof FeedError) return [error];
    throw error;
  }
}
