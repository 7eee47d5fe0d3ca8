/** redis-server is not installed. The message says how to install it. */
export class RedisMissingError extends Error {
  override readonly name = 'RedisMissingError';

  constructor(platform: NodeJS.Platform = process.platform) {
    const install = platform === 'darwin' ? 'brew install redis' : 'apt-get install redis-server';
    super(`redis-server is not installed: run "${install}", or set REDIS_URL to a running Redis`);
  }
}

/** No Redis responds at the address. */
export class RedisUnreachableError extends Error {
  override readonly name = 'RedisUnreachableError';
}

/** The private redis-server did not start. */
export class RedisStartError extends Error {
  override readonly name: string = 'RedisStartError';
}

/** The private redis-server cannot read its own files. */
export class RedisDamagedError extends RedisStartError {
  override readonly name = 'RedisDamagedError';

  constructor(
    /** Its folder. */
    readonly dir: string,
    /** Its last log line. */
    readonly found: string,
  ) {
    super(`redis-server could not read its files in ${dir}: ${found}`);
  }
}

/** The connection to Redis was lost during the work. */
export class RedisLostError extends Error {
  override readonly name = 'RedisLostError';
}
