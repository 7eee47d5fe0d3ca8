import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Maximum bytes of a Unix socket's path without the final NUL: 107 on Linux, 103 on macOS (`sun_path`, unix(7)). */
const SOCKET_PATH_BYTES = 103;

const SOCKET = 'redis.sock';
/** File with the path of a socket outside the folder. */
const ELSEWHERE = 'redis.sock.path';

/**
 * Returns the socket path of a folder's private Redis: inside the folder. If that path is too long, the socket is in a
 * separate temporary folder, and `redis.sock.path` has its path. Undefined until that folder exists.
 */
export function findSocketPath(redisDir: string): string | undefined {
  const inside = resolve(redisDir, SOCKET);
  if (Buffer.byteLength(inside) <= SOCKET_PATH_BYTES) return inside;
  const note = join(redisDir, ELSEWHERE);
  if (!existsSync(note)) return undefined;
  const elsewhere = readFileSync(note, 'utf8');
  return existsSync(dirname(elsewhere)) ? elsewhere : undefined;
}

/** Returns the path like findSocketPath, and creates the temporary folder if one is needed. */
export function makeSocketPath(redisDir: string): string {
  const found = findSocketPath(redisDir);
  if (found !== undefined) return found;
  const elsewhere = join(mkdtempSync(join(tmpdir(), 'ipatlas-')), SOCKET);
  writeFileSync(join(redisDir, ELSEWHERE), elsewhere);
  return elsewhere;
}

/** Removes the socket, and a temporary folder with its `redis.sock.path`. */
export function removeSocket(redisDir: string, socketPath: string): void {
  rmSync(socketPath, { force: true });
  if (dirname(socketPath) === resolve(redisDir)) return;
  rmSync(dirname(socketPath), { recursive: true, force: true });
  rmSync(join(redisDir, ELSEWHERE), { force: true });
}
