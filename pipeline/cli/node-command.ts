import type { Command } from 'commander';
import { printableLine } from '../text/printable.js';
import type { Printed } from '../../server/ledger/accounts/key-commands.js';
import {
  addNode,
  listNodes,
  removeNode,
  rotateNode,
  type AddOptions,
} from '../../server/nodes/node-commands.js';
import { NodeError, type NodeStore } from '../../server/nodes/node-store.js';
import { print, type CommandContext } from './context.js';
import { openAccounts } from './open-accounts.js';
import { UsageError } from './usage-error.js';

/** How long to wait for an answer of Redis. */
const REDIS_TIMEOUT_MS = 3000;

interface Quiet {
  readonly quiet?: boolean;
}

/** Adds `node` with `add`, `list`, `rotate` and `remove`. Their modules are loaded when they run. */
export function addNodeCommands(program: Command, context: CommandContext): void {
  const node = program
    .command('node')
    .description('manage probe nodes: machines that test connections for callers');
  const run = (step: (store: NodeStore) => Promise<Printed>): Promise<void> =>
    withRegistry(context, async (registry) => {
      const { value, text } = await step(registry);
      print(value, text, context);
    });
  addIssuingCommands(node, context);
  node
    .command('list')
    .description('list nodes, and whether they are online')
    .action(() => run(listNodes));
  node
    .command('remove')
    .description('remove a node and close its connection')
    .argument('<code>', 'code or id of the node')
    .action((code: string) => run((registry) => removeNode(registry, code)));
}

/** Adds the commands that show a token. */
function addIssuingCommands(node: Command, context: CommandContext): void {
  const show = async (
    { quiet }: Quiet,
    issue: (store: NodeStore) => Promise<Printed & { readonly token: string }>,
  ): Promise<void> =>
    withRegistry(context, async (registry) => {
      const { token, value, text } = await issue(registry);
      if (quiet === true) context.environment.stdout.write(`${token}\n`);
      else print(value, text, context);
    });
  node
    .command('add')
    .description('register a node; its token is shown once')
    .requiredOption('--code <code>', 'code that callers use: a-z, 0-9 and -')
    .requiredOption('--name <name>', 'Chinese name')
    .option('--name-en <name>', 'English name; the Chinese name by default')
    .requiredOption('--country <name>', 'country name')
    .requiredOption('--country-code <code>', 'ISO 3166-1 code, two letters')
    .option('--region <name>')
    .option('--province <name>')
    .option('--city <name>')
    .option('--isp <code>', 'ISP of its network')
    .option('--quiet', 'print the token only')
    .action((options: AddOptions & Quiet) => show(options, (registry) => addNode(registry, options)));
  node
    .command('rotate')
    .description('replace the token of a node and close its connection')
    .argument('<code>', 'code or id of the node')
    .option('--quiet', 'print the token only')
    .action((code: string, options: Quiet) => show(options, (registry) => rotateNode(registry, code)));
}

async function withRegistry(
  { environment }: CommandContext,
  use: (store: NodeStore) => Promise<void>,
): Promise<void> {
  const { openNodeStore } = await import('../../server/nodes/node-store.js');
  const log = (line: string): void => void environment.stderr.write(`ipatlas: ${printableLine(line)}\n`);
  const redis = await openAccounts(environment, log);
  try {
    const opened = await openNodeStore(redis.address, REDIS_TIMEOUT_MS);
    if (opened === undefined)
      throw new Error(`Redis does not answer at ${redis.name}: start it, or set REDIS_URL or REDIS_URLS`);
    await use(opened.store).finally(opened.close);
  } catch (error) {
    throw error instanceof NodeError ? new UsageError(error.message) : error;
  } finally {
    await redis.stop();
  }
}
