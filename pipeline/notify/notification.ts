import { randomUUID } from 'node:crypto';
import { printableJson } from '../text/printable.js';
import type { Recipients } from './recipients.js';
import { runCommand } from './run-command.js';
import { postWebhook } from './webhook.js';

/** A message to the operator in the form that Standard Webhooks recommends. */
export interface Notification {
  /** Its type, such as `build.published`. */
  readonly type: string;
  /** Time of the event, ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    readonly exitCode: number;
    readonly release?: { readonly id: string };
  };
}

/**
 * Sends a notification to all recipients at once. Never throws; returns one line for each recipient that it did not
 * reach. `print` receives the output of the command, line by line.
 */
export async function notify(
  { webhook, command }: Recipients,
  notification: Notification,
  print: (line: string) => void,
): Promise<string[]> {
  const body = printableJson(JSON.stringify(notification));
  const { type, data } = notification;
  const variables = {
    IPATLAS_EVENT: type,
    IPATLAS_EXIT_CODE: String(data.exitCode),
    IPATLAS_RELEASE: data.release?.id ?? '',
  };
  const [posted, ran] = await Promise.all([
    webhook && postWebhook(webhook, { id: `msg_${randomUUID()}`, body }),
    command !== undefined ? runCommand(command, { input: `${body}\n`, variables, print }) : undefined,
  ]);
  return [
    // Paths and queries of webhooks are often secret.
    ...(webhook && posted !== undefined ? [`NOT NOTIFIED ${webhook.url.origin}: ${posted}`] : []),
    ...(command !== undefined && ran !== undefined ? [`NOT NOTIFIED ${command}: ${ran}`] : []),
  ];
}
