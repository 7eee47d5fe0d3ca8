import type { JobSeconds } from '../jobs/job-times.js';
import { notify, type Notification } from '../notify/notification.js';
import { parseRecipients, RecipientError, type Recipients } from '../notify/recipients.js';
import { printableLine } from '../text/printable.js';
import type { BuildReport } from './build.js';
import type { CommandContext } from './context.js';
import type { Environment } from './environment.js';
import { failureCodeOf, messageOf } from './failure.js';
import { describeNight, type EndedNight } from './night-message.js';
import { UsageError } from './usage-error.js';

/** What a build records for its notification. */
export interface BuildRecord {
  report?: BuildReport;
  jobs: () => JobSeconds;
}

/** Returns who is notified about a build. Throws UsageError for invalid variables. */
export function recipientsOf({ readVariable }: Environment): Recipients {
  try {
    return parseRecipients({
      url: readVariable('NOTIFY_URL'),
      secret: readVariable('NOTIFY_SECRET'),
      command: readVariable('NOTIFY_COMMAND'),
    });
  } catch (error) {
    if (error instanceof RecipientError) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * Runs a build, then notifies the recipients of its end. The build receives the context, and an object for its report.
 * A failed notification is a line on standard error and changes no exit code. Throws the errors of the build, and
 * UsageError for invalid variables, before the build starts.
 */
export async function withNotification(
  context: CommandContext,
  run: (context: CommandContext, night: BuildRecord) => Promise<void>,
): Promise<void> {
  const { environment, setExitCode } = context;
  const recipients = recipientsOf(environment);
  const startedMs = Date.now();
  const night: BuildRecord = { jobs: () => ({}) };
  let exitCode = 0;
  const recording = {
    ...context,
    setExitCode: (code: number): void => {
      exitCode = code;
      setExitCode(code);
    },
  };
  const ended = (end: Pick<EndedNight, 'exitCode' | 'error'>): Notification =>
    describeNight({ ...night, ...end, jobs: night.jobs(), startedMs, endedMs: Date.now() });
  try {
    await run(recording, night);
  } catch (error) {
    const failure = { exitCode: failureCodeOf(error), error: printableLine(messageOf(error, environment)) };
    await send(recipients, ended(failure), environment);
    throw error;
  }
  await send(recipients, ended({ exitCode }), environment);
}

/** Sends a notification and prints a line for each recipient that it did not reach. Returns their number. */
export async function send(
  recipients: Recipients,
  notification: Notification,
  { stderr }: Pick<Environment, 'stderr'>,
): Promise<number> {
  const failures = await notify(recipients, notification, (line) => stderr.write(`notify: ${line}\n`));
  for (const failure of failures) stderr.write(`${printableLine(failure)}\n`);
  return failures.length;
}
