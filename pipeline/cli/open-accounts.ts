import { openAccountsRedis, type AccountsRedis } from '../jobs/accounts-redis.js';
import { ConfigError, parseRedis, type RedisSettings } from '../../server/parse-config.js';
import type { Environment } from './environment.js';
import { UsageError } from './usage-error.js';

/** Opens the Redis of the accounts that the environment names. Throws UsageError for invalid variables. */
export async function openAccounts(
  environment: Pick<Environment, 'readVariable' | 'outputDir'>,
  log: (line: string) => void,
): Promise<AccountsRedis> {
  const { outputDir } = environment;
  return openAccountsRedis({ ...accountsSettings(environment), outputDir, log });
}

/** Returns REDIS_URL or REDIS_URLS. Throws UsageError for invalid ones. */
export function accountsSettings({ readVariable }: Pick<Environment, 'readVariable'>): RedisSettings {
  try {
    return parseRedis(readVariable);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}
