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
  override readonly name = 'RedisStartError';
}

/** Redis went away in the middle of the work. */
export class RedisLostError extends Error {
  override readonly name = 'RedisLostError';
}
