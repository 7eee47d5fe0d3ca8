/** Time for replies to be read that arrived while this process was busy. */
const GRACE_MS = 50;

/** Rejects when a command has no reply in time. The command may still be run. */
export async function withinTimeout<T>(command: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // The second timer ends after the replies of one turn of the event loop have been read.
    timer = setTimeout(() => {
      timer = setTimeout(() => {
        reject(new Error(`no reply for ${timeoutMs} ms`));
      }, GRACE_MS);
    }, timeoutMs - GRACE_MS);
  });
  try {
    return await Promise.race([command, late]);
  } finally {
    clearTimeout(timer);
  }
}
