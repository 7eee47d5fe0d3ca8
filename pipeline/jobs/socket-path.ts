import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Bytes of a Unix socket's path without the final NUL: 107 on Linux, 103 on macOS (`sun_path`, unix(7)). */
const SOCKET_PATH_BYTES = 103;

const SOCKET = 'redis.sock';
/** Names the socket where it had to be put elsewhere. */
const ELSEWHERE = 'redis.sock.path';

/**
 * The socket of the private Redis of a folder: inside it, or where that path is too long, in a folder of its own below
 * the system's temporary one, which `redis.sock.path` names. Undefined while no such folder has been made.
 */
export function findSocketPath(redisDir: string): string | undefined {
  const inside = resolve(redisDir, SOCKET);
  if (Buffer.byteLength(inside) <= SOCKET_PATH_BYTES) return inside;
  const note = join(redisDir, ELSEWHERE);
  if (!existsSync(note)) return undefined;
  const elsewhere = readFileSync(note, 'utf8');
  return existsSync(dirname(elsewhere)) ? elsewhere : undefined;
}

/** As findSocketPath, but makes the folder elsewhere where one is needed. */
export function makeSocketPath(redisDir: string): string {
  const found = findSocketPath(redisDir);
  if (found !== undefined) return found;
  const elsewhere = join(mkdtempSync(join(tmpdir(), 'ipatlas-')), SOCKET);
  writeFileSync(join(redisDir, ELSEWHERE), elsewhere);
  return elsewhere;
}

/** Removes the socket and, where it lies elsewhere, its folder and the note. */
export function removeSocket(redisDir: string, socketPath: string): void {
  rmSync(socketPath, { force: true });
  if (dirname(socketPath) === resolve(redisDir)) return;
  rmSync(dirname(socketPath), { recursive: true, force: true });
  rmSync(join(redisDir, ELSEWHERE), { force: true });
}
