import type { Command } from 'commander';
import { print, type CommandContext } from './context.js';
import { recipientsOf, send } from './notify-night.js';
import { UsageError } from './usage-error.js';

/** Adds `notify`. */
export function addNotifyCommand(program: Command, context: CommandContext): void {
  const { environment, setExitCode } = context;
  program
    .command('notify')
    .description('send a test notification to NOTIFY_URL and NOTIFY_COMMAND')
    .action(async () => {
      const recipients = recipientsOf(environment);
      if (!recipients.webhook && recipients.command === undefined)
        throw new UsageError('no recipient: set NOTIFY_URL or NOTIFY_COMMAND');
      const timestamp = new Date().toISOString();
      const failed = await send(
        recipients,
        { type: 'build.test', timestamp, data: { exitCode: 0 } },
        environment,
      );
      if (failed > 0) setExitCode(1);
      else print({ notified: true }, 'Notified.', context);
    });
}
