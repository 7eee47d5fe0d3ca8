import type { Command } from 'commander';
import { openAccountsRedis } from '../jobs/accounts-redis.js';
import { AccountError } from '../../server/accounts/account-error.js';
import type { AccountStore } from '../../server/accounts/account-store.js';
import {
  addCredits,
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
  setPlan,
  type CreateOptions,
  type Printed,
} from '../../server/accounts/key-commands.js';
import { ConfigError, parseConfig } from '../../server/parse-config.js';
import { print, type CommandContext } from './context.js';
import type { Environment } from './environment.js';
import { UsageError } from './usage-error.js';

/** A Redis that has not answered by then is told to be unreachable. */
const PATIENCE_MS = 3000;

interface Quiet {
  readonly quiet?: boolean;
}

/** `key` with `create`, `list`, `rotate`, `revoke`, `plan` and `credits`. What they run on is loaded when they run. */
export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('API keys, and the accounts they belong to');
  const run = (step: (accounts: AccountStore) => Promise<Printed>): Promise<void> =>
    withAccounts(context, async (accounts) => {
      const { value, text } = await step(accounts);
      print(value, text, context);
    });
  addIssuingCommands(key, context);
  key
    .command('list')
    .description('accounts, what is left of their credits, and their keys by their first characters')
    .action(() => run(listKeys));
  key
    .command('revoke')
    .description('refuse a key from now on')
    .argument('<key>', 'the key, or its first ten characters')
    .action((name: string) => run((accounts) => revokeKey(accounts, name)));
  key
    .command('plan')
    .description('change the plan of an account; the running month’s credits change by the difference')
    .argument('<email>')
    .argument('<plan>', 'free, pro or enterprise')
    .action((email: string, plan: string) => run((accounts) => setPlan(accounts, email, plan)));
  key
    .command('credits')
    .description('add credits to the running month of an account')
    .argument('<email>')
    .argument('<amount>')
    .action((email: string, amount: string) => run((accounts) => addCredits(accounts, email, amount)));
}

/** Those that show a key. */
function addIssuingCommands(key: Command, context: CommandContext): void {
  const show = async (
    { quiet }: Quiet,
    issue: (accounts: AccountStore) => Promise<Printed & { readonly key: string }>,
  ): Promise<void> =>
    withAccounts(context, async (accounts) => {
      const { key, value, text } = await issue(accounts);
      if (quiet === true) process.stdout.write(`${key}\n`);
      else print(value, text, context);
    });
  key
    .command('create')
    .description('make a key, and the account where the e-mail address has none; it is shown this once')
    .requiredOption('--email <address>', 'whose')
    .option('--plan <plan>', 'free, pro or enterprise; free by default')
    .option('--nickname <name>', 'the part before the @ by default')
    .option('--quiet', 'print the key alone')
    .action((options: CreateOptions & Quiet) => show(options, (accounts) => createKey(accounts, options)));
  key
    .command('rotate')
    .description('make a new key in place of an old one, which is refused from now on')
    .argument('<key>', 'the old key, or its first ten characters')
    .option('--quiet', 'print the new key alone')
    .action((name: string, options: Quiet) => show(options, (accounts) => rotateKey(accounts, name)));
}

async function withAccounts(
  { environment }: CommandContext,
  use: (accounts: AccountStore) => Promise<void>,
): Promise<void> {
  const { openLedger } = await import('../../server/accounts/ledger.js');
  const { redisUrl, outputDir } = environment;
  const timeZone = timeZoneOf(environment);
  const log = (line: string): void => void process.stderr.write(`ipatlas: ${line}\n`);
  const redis = await openAccountsRedis({ redisUrl, outputDir, log });
  try {
    const ledger = openLedger({ redis: redis.address, timeZone });
    try {
      if (!(await ledger.ready(PATIENCE_MS)))
        throw new Error(`no Redis answers at ${redis.name}: start it, or set REDIS_URL`);
      await use(ledger.accounts);
    } finally {
      ledger.close();
    }
  } catch (error) {
    throw error instanceof AccountError ? new UsageError(error.message) : error;
  } finally {
    await redis.stop();
  }
}

/** Variables that matter here: keys can be made where the server itself is not set up. */
const READ: readonly string[] = ['REDIS_URL', 'SERVER_TZ'];

/** SERVER_TZ, with REDIS_URL looked at too. Throws UsageError. */
function timeZoneOf({ outputDir, readVariable }: Environment): string {
  try {
    return parseConfig((name) => (READ.includes(name) ? readVariable(name) : undefined), outputDir).timeZone;
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}
