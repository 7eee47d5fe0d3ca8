import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Returns a function that reports whether bytes of an answer have been passed to the operating system. Call it before
 * the answer is written. A pipelined answer has no socket until the answers before it have been written.
 */
export function watchSentBytes(res: ServerResponse): () => boolean {
  let socket: Socket | undefined;
  let before = 0;
  const begin = (assigned: Socket): void => {
    socket = assigned;
    // Includes what is still in the socket's buffer: bytes of earlier answers.
    before = assigned.bytesWritten;
  };
  if (res.socket === null) res.once('socket', begin);
  else begin(res.socket);
  return () => socket !== undefined && socket.bytesWritten > before;
}
