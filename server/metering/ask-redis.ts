import { Failure } from '../failure.js';
import type { MeteringRedis } from './metering-redis.js';

/** The reply to a command that has just been sent, or Failure(503). */
export async function askRedis<T>(redis: MeteringRedis, command: Promise<T>): Promise<T> {
  try {
    return await redis.watched(command);
  } catch (cause) {
    redis.failed(cause);
    throw accountsUnreachable(cause);
  }
}

/** What a caller is told whose answer needs Redis, while there is none (ruling 10). */
export function accountsUnreachable(cause?: unknown): Failure {
  return new Failure(503, 'accounts cannot be reached, try again later', {}, { cause });
}
