import type { Command } from 'commander';
import { openAccountsRedis } from '../jobs/accounts-redis.js';
import type { Printed } from '../../server/accounts/key-commands.js';
import {
  addNode,
  listNodes,
  removeNode,
  rotateNode,
  type AddOptions,
} from '../../server/nodes/node-commands.js';
import { NodeError, type NodeRegistry } from '../../server/nodes/node-registry.js';
import { print, type CommandContext } from './context.js';
import { UsageError } from './usage-error.js';

/** A Redis that has not answered by then is told to be unreachable. */
const PATIENCE_MS = 3000;

interface Quiet {
  readonly quiet?: boolean;
}

/** `node` with `add`, `list`, `rotate` and `remove`. What they run on is loaded when they run. */
export function addNodeCommands(program: Command, context: CommandContext): void {
  const node = program.command('node').description('probe nodes, from where others may try connections');
  const run = (step: (registry: NodeRegistry) => Promise<Printed>): Promise<void> =>
    withRegistry(context, async (registry) => {
      const { value, text } = await step(registry);
      print(value, text, context);
    });
  addIssuingCommands(node, context);
  node
    .command('list')
    .description('nodes, and whether they are online')
    .action(() => run(listNodes));
  node
    .command('remove')
    .description('forget a node, and close its connection')
    .argument('<code>', 'its code or id')
    .action((code: string) => run((registry) => removeNode(registry, code)));
}

/** Those that show a token. */
function addIssuingCommands(node: Command, context: CommandContext): void {
  const show = async (
    { quiet }: Quiet,
    issue: (registry: NodeRegistry) => Promise<Printed & { readonly token: string }>,
  ): Promise<void> =>
    withRegistry(context, async (registry) => {
      const { token, value, text } = await issue(registry);
      if (quiet === true) process.stdout.write(`${token}\n`);
      else print(value, text, context);
    });
  node
    .command('add')
    .description('register a node; its token is shown this once')
    .requiredOption('--code <code>', 'what callers name it by: a-z, 0-9 and -')
    .requiredOption('--name <name>', 'in Chinese')
    .option('--name-en <name>', 'in English; the same by default')
    .requiredOption('--country <name>', 'where it is')
    .requiredOption('--country-code <code>', 'ISO 3166-1, two letters')
    .option('--region <name>')
    .option('--province <name>')
    .option('--city <name>')
    .option('--isp <code>', 'whose network it is in')
    .option('--quiet', 'print the token alone')
    .action((options: AddOptions & Quiet) => show(options, (registry) => addNode(registry, options)));
  node
    .command('rotate')
    .description('a new token in place of the old one, whose connection is closed')
    .argument('<code>', 'its code or id')
    .option('--quiet', 'print the token alone')
    .action((code: string, options: Quiet) => show(options, (registry) => rotateNode(registry, code)));
}

async function withRegistry(
  { environment: { redisUrl, outputDir } }: CommandContext,
  use: (registry: NodeRegistry) => Promise<void>,
): Promise<void> {
  const { openRegistry } = await import('../../server/nodes/open-registry.js');
  const log = (line: string): void => void process.stderr.write(`ipatlas: ${line}\n`);
  const redis = await openAccountsRedis({ redisUrl, outputDir, log });
  try {
    const opened = await openRegistry(redis.address, PATIENCE_MS);
    if (opened === undefined)
      throw new Error(`no Redis answers at ${redis.name}: start it, or set REDIS_URL`);
    await use(opened.registry).finally(opened.close);
  } catch (error) {
    throw error instanceof NodeError ? new UsageError(error.message) : error;
  } finally {
    await redis.stop();
  }
}
