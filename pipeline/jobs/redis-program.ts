import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { join } from 'node:path';
import { RedisMissingError } from './redis-errors.js';

/**
 * Returns the programs that may be the Redis of an output folder, in the order in which they are tried. The last one is
 * the package that `.ci/install-redis` unpacks where it may install none.
 */
const programsOf = (outputDir: string): readonly string[] => [
  'redis-server',
  'valkey-server',
  join(outputDir, 'redis-server', 'redis-server'),
];

/**
 * Starts the first Redis program that exists. Only the owner can access the files it creates. Throws RedisMissingError
 * if there is none.
 */
export async function spawnRedis(
  outputDir: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  for (const program of programsOf(outputDir)) {
    const child = await spawnIfPresent(() => withPrivateFiles(() => spawn(program, args, options)));
    if (child) return child;
  }
  throw new RedisMissingError();
}

/** Returns the started process; undefined if its program does not exist. */
function spawnIfPresent(start: () => ChildProcess): Promise<ChildProcess | undefined> {
  const child = start();
  return new Promise((resolve, reject) => {
    child.once('spawn', () => {
      resolve(child);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
  });
}

/** Starts a process whose new files only their owner can access. It inherits the umask of this process. */
function withPrivateFiles<T>(start: () => T): T {
  const before = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}
