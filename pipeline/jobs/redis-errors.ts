/** There is no redis-server to start. The message is one line with what to install. */
export class RedisMissingError extends Error {
  override readonly name = 'RedisMissingError';

  constructor(platform: NodeJS.Platform = process.platform) {
    const install = platform === 'darwin' ? 'brew install redis' : 'apt-get install redis-server';
    super(`redis-server is not installed: run "${install}", or set REDIS_URL to a running Redis`);
  }
}

/** Nobody answers where Redis should be. */
export class RedisUnreachableError extends Error {
  override readonly name = 'RedisUnreachableError';
}

/** The private redis-server did not come up. */
export class RedisStartError extends Error {
  override readonly name: string = 'RedisStartError';
}

/** The private redis-server cannot read its own files. */
export class RedisDamagedError extends RedisStartError {
  override readonly name = 'RedisDamagedError';

  constructor(
    /** Its folder. */
    readonly dir: string,
    /** What it logged before it gave up. */
    readonly found: string,
  ) {
    super(`redis-server could not read its files in ${dir}: ${found}`);
  }
}

/** Redis went away in the middle of the work. */
export class RedisLostError extends Error {
  override readonly name = 'RedisLostError';
}
