/** Waits for a file operation; absent when the path, or a folder on the way to it, does not exist. */
export async function absentIfMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Is this the system's word for a path that does not exist? */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
