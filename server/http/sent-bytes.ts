import type { ServerResponse } from 'node:http';

/**
 * Returns a function that reports whether bytes of an answer have been passed to the operating system. Call it before
 * the answer is written, when the answers before it have ended.
 */
export function watchSentBytes({ socket }: ServerResponse): () => boolean {
  // Includes what is still in the socket's buffer: bytes of earlier answers.
  const before = socket?.bytesWritten ?? 0;
  return () => (socket?.bytesWritten ?? 0) > before;
}
