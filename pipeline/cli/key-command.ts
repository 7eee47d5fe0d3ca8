import type { Command } from 'commander';
import { printableLine } from '../text/printable.js';
import { AccountError } from '../../server/ledger/accounts/account.js';
import type { AccountStore, TypedTerms } from '../../server/ledger/accounts/account.js';
import {
  addCredits,
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
  setPlan,
  type CreateOptions,
  type Printed,
} from '../../server/ledger/accounts/key-commands.js';
import { ConfigError, parseConfig } from '../../server/parse-config.js';
import { print, type CommandContext } from './context.js';
import { keyFrom } from './key-argument.js';
import type { Environment } from './environment.js';
import { openAccounts } from './open-accounts.js';
import { UsageError } from './usage-error.js';

/** How long to wait for an answer of Redis. */
const REDIS_TIMEOUT_MS = 3000;

interface Quiet {
  readonly quiet?: boolean;
}

/**
 * Adds `key` with `create`, `list`, `rotate`, `revoke`, `plan` and `credits`. Their modules are loaded when they run.
 */
export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('manage API keys and their accounts');
  const run = (step: (accounts: AccountStore) => Promise<Printed>): Promise<void> =>
    withAccounts(context, async (accounts) => {
      const { value, text } = await step(accounts);
      print(value, text, context);
    });
  addIssuingCommands(key, context);
  key
    .command('list')
    .description('list accounts with their remaining credits and the first characters of their keys')
    .action(() => run(listKeys));
  key
    .command('revoke')
    .description('revoke a key')
    .argument('<key>', KEY_ARGUMENT)
    .action(async (name: string) => {
      const key = await keyFrom(name, context.environment.stdin);
      await run((accounts) => revokeKey(accounts, key));
    });
  key
    .command('plan')
    .description('change the plan of an account; credits of the current month change by the difference')
    .argument('<email>')
    .argument('<plan>', 'free, pro or enterprise')
    .action((email: string, plan: string) => run((accounts) => setPlan(accounts, email, plan)));
  key
    .command('credits')
    .description('add credits to an account for the current month')
    .argument('<email>')
    .argument('<amount>')
    .action((email: string, amount: string) => run((accounts) => addCredits(accounts, email, amount)));
}

/** Adds the commands that show a key. */
function addIssuingCommands(key: Command, context: CommandContext): void {
  const show = async (
    { quiet }: Quiet,
    issue: (accounts: AccountStore) => Promise<Printed & { readonly key: string }>,
  ): Promise<void> =>
    withAccounts(context, async (accounts) => {
      const { key, value, text } = await issue(accounts);
      if (quiet === true) context.environment.stdout.write(`${key}\n`);
      else print(value, text, context);
    });
  key
    .command('create')
    .description('create a key, and the account if the e-mail address has none; the key is shown once')
    .requiredOption('--email <address>', 'e-mail address of the account')
    .option('--plan <plan>', 'free, pro or enterprise; free by default')
    .option('--nickname <name>', 'name of the account; the part before the @ by default')
    .option('--expires <when>', EXPIRES)
    .option('--networks <list>', NETWORKS)
    .option('--quiet', 'print the key only')
    .action((options: CreateOptions & Quiet) => show(options, (accounts) => createKey(accounts, options)));
  key
    .command('rotate')
    .description('replace a key by a new one and revoke the old one')
    .argument('<key>', KEY_ARGUMENT)
    .option('--expires <when>', `${EXPIRES}; by default that of the old key`)
    .option('--networks <list>', `${NETWORKS}; by default those of the old key`)
    .option('--quiet', 'print the new key only')
    .action(async (name: string, options: TypedTerms & Quiet) => {
      const old = await keyFrom(name, context.environment.stdin);
      await show(options, (accounts) => rotateKey(accounts, old, options));
    });
}

const KEY_ARGUMENT = 'the key as "key list" shows it, or - to read the whole key from standard input';
const EXPIRES = 'last day of the key such as 2027-01-31, a number of days, or never';
const NETWORKS = 'comma-separated networks the key may be used from, or any';

async function withAccounts(
  { environment }: CommandContext,
  use: (accounts: AccountStore) => Promise<void>,
): Promise<void> {
  const { openLedger } = await import('../../server/ledger/ledger.js');
  const timeZone = timeZoneOf(environment);
  const log = (line: string): void => void environment.stderr.write(`ipatlas: ${printableLine(line)}\n`);
  const redis = await openAccounts(environment, log);
  try {
    const ledger = openLedger({ redis: redis.address, timeZone });
    try {
      if (!(await ledger.ready(REDIS_TIMEOUT_MS)))
        throw new Error(`Redis does not answer at ${redis.name}: start it, or set REDIS_URL or REDIS_URLS`);
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

/** The variables that matter here: keys can be created without the server's other settings. */
const READ: readonly string[] = ['REDIS_URL', 'REDIS_URLS', 'SERVER_TZ'];

/** Returns SERVER_TZ. Throws UsageError when it, REDIS_URL or REDIS_URLS is invalid. */
function timeZoneOf({ outputDir, readVariable }: Environment): string {
  try {
    return parseConfig((name) => (READ.includes(name) ? readVariable(name) : undefined), outputDir).timeZone;
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}
