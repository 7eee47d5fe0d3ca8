import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

/** The address of a webhook, and the secrets that sign its messages. */
export interface WebhookAddress {
  /** Without user and password. */
  readonly url: URL;
  /** Value of the header Authorization. */
  readonly authorization?: string;
  /** Secrets of Standard Webhooks (`whsec_…`); each signs every message. Without secrets messages are not signed. */
  readonly secrets: readonly string[];
}

/** A message. Every attempt to deliver it has the same id. */
export interface WebhookMessage {
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/** The time limits of a delivery in ms. */
export interface DeliveryTimes {
  /** All attempts with the pauses between them. */
  readonly total: number;
  readonly attempt: number;
  /** The pause after the first attempt; each further pause is twice as long. */
  readonly pause: number;
}

const TIMES: DeliveryTimes = { total: 60_000, attempt: 10_000, pause: 1000 };

/** The result of one attempt. */
interface Attempt {
  readonly failure?: string;
  readonly mayPass?: boolean;
  /** The pause that the receiver asks for, in ms. */
  readonly retryAfter?: number;
}

/**
 * Posts a message, signed as Standard Webhooks describes, and repeats it after 429, 5xx and failed connections. Redirects
 * are not followed: they could lead the message elsewhere. Returns why it was not delivered; undefined if it was.
 */
export async function postWebhook(
  address: WebhookAddress,
  message: WebhookMessage,
  times: DeliveryTimes = TIMES,
): Promise<string | undefined> {
  const deadline = Date.now() + times.total;
  for (let attempts = 1, pause = times.pause; ; attempts++, pause *= 2) {
    const limit = Math.min(times.attempt, Math.max(1, deadline - Date.now()));
    const { failure, mayPass, retryAfter } = await post(address, message, limit);
    if (failure === undefined) return undefined;
    const wait = Math.max(pause, retryAfter ?? 0);
    if (mayPass !== true || Date.now() + wait >= deadline)
      return `${failure} (${attempts === 1 ? '1 attempt' : `${attempts} attempts`})`;
    await sleep(wait);
  }
}

async function post(
  { url, authorization, secrets }: WebhookAddress,
  message: WebhookMessage,
  limitMs: number,
): Promise<Attempt> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: message.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'ipatlas',
        ...(authorization !== undefined && { Authorization: authorization }),
        ...signedHeaders(message, secrets),
      },
    });
    await response.body?.cancel();
    return judge(response);
  } catch (error) {
    return { failure: reasonOf(error), mayPass: true };
  }
}

/** Returns the headers of Standard Webhooks; the signatures of several secrets are separated by spaces. */
function signedHeaders({ id, body }: WebhookMessage, secrets: readonly string[]): Record<string, string> {
  const now = new Date();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, now, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}

function judge({ status, headers }: Response): Attempt {
  if (status >= 200 && status < 300) return {};
  const failure =
    status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`;
  const seconds = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '');
  return {
    failure,
    mayPass: status === 429 || status >= 500,
    ...(seconds && { retryAfter: Number(seconds[0]) * 1000 }),
  };
}

/** Returns the code of a failed connection (`fetch` hides it in `cause`). The message could contain the URL. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return 'time limit exceeded';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}
