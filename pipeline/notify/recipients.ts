import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WebhookAddress } from './webhook.js';

/** Who is notified. */
export interface Recipients {
  readonly webhook?: WebhookAddress;
  /** Path of an executable. */
  readonly command?: string;
}

/** A variable of the notifications is invalid. The message contains no secret. */
export class RecipientError extends Error {
  override readonly name = 'RecipientError';
}

/** The values of NOTIFY_URL, NOTIFY_SECRET and NOTIFY_COMMAND; empty counts as not set. */
export interface RecipientTexts {
  readonly url: string | undefined;
  readonly secret: string | undefined;
  readonly command: string | undefined;
}

/** Returns the recipients. Throws RecipientError. */
export function parseRecipients({ url, secret, command }: RecipientTexts): Recipients {
  if (isEmpty(url) && !isEmpty(secret)) throw new RecipientError('NOTIFY_SECRET is set without NOTIFY_URL');
  return {
    ...(isEmpty(url) ? {} : { webhook: { ...parseUrl(url), secrets: parseSecrets(secret ?? '') } }),
    ...(isEmpty(command) ? {} : { command: parseCommand(command) }),
  };
}

function isEmpty(text: string | undefined): text is undefined | '' {
  return text === undefined || text === '';
}

/** Takes the user and password out of a URL, because `fetch` accepts none there. */
function parseUrl(text: string): Pick<WebhookAddress, 'url' | 'authorization'> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new RecipientError('invalid NOTIFY_URL: expected an https: or http: URL');
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.hash = '';
  if (username === '' && password === '') return { url };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Lengths that Standard Webhooks allows for a secret, in bytes. */
const SECRET_BYTES = { least: 24, most: 64 } as const;

/** Parses secrets separated by spaces: the new one and the old ones while the receiver changes. */
function parseSecrets(text: string): string[] {
  const secrets = text.split(' ').filter((secret) => secret !== '');
  for (const [i, secret] of secrets.entries()) {
    const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
    const bytes = Buffer.from(base64, 'base64');
    const isCanonical = bytes.toString('base64') === base64;
    if (!isCanonical || bytes.length < SECRET_BYTES.least || bytes.length > SECRET_BYTES.most)
      throw new RecipientError(
        `invalid NOTIFY_SECRET, secret ${i + 1}: expected whsec_ and ${SECRET_BYTES.least} to ${SECRET_BYTES.most} bytes in base64`,
      );
  }
  return secrets;
}

function parseCommand(text: string): string {
  const path = resolve(text);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new RecipientError(`invalid NOTIFY_COMMAND "${text}": file not found: ${path}`);
  if (!stats.isFile() || !isExecutable(path))
    throw new RecipientError(
      `invalid NOTIFY_COMMAND "${text}": expected an executable file, without arguments`,
    );
  return path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return false;
    throw error;
  }
}
