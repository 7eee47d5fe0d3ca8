import { setTimeout } from 'node:timers/promises';
import { parseJson } from '../../pipeline/text/parse-json.js';

/** A response of the service. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The body after decoding by fetch. */
  readonly bytes: Buffer;
  readonly text: string;
  /** The parsed body. Absent if it is not JSON. */
  readonly body: unknown;
}

/** Options of a request. */
export interface RequestOptions {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** What to do at HTTP 429: wait once for the time in Retry-After, or return the response. */
  readonly whenSpent?: 'wait' | 'return';
}

/** Thrown when the service violates a rule. The message says how. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
}

/** A client for the service under test. Keeps all responses for rules about every one of them. */
export class ServiceClient {
  /** All responses so far with their method and path. */
  readonly seen: { readonly asked: string; readonly reply: Reply }[] = [];

  readonly #cached = new Map<string, Reply>();

  constructor(
    /** Root URL without a trailing slash. */
    private readonly url: string,
    private readonly timeoutMs = 30_000,
  ) {}

  /** Sends a GET request only the first time. Several checks share the response. */
  async once(path: string, options: Pick<RequestOptions, 'key'> = {}): Promise<Reply> {
    const id = `${options.key ?? ''} ${path}`;
    const cached = this.#cached.get(id);
    if (cached !== undefined) return cached;
    const reply = await this.ask(path, options);
    this.#cached.set(id, reply);
    return reply;
  }

  /** Sends a request. Throws CheckFailed without a response. */
  async ask(path: string, options: RequestOptions = {}): Promise<Reply> {
    const reply = await this.#askOnce(path, options);
    const waitSeconds = Number(reply.headers.get('retry-after') ?? 0);
    if (reply.status !== 429 || waitSeconds === 0 || options.whenSpent === 'return') return reply;
    await setTimeout(Math.min(waitSeconds, 60) * 1000);
    return await this.#askOnce(path, options);
  }

  async #askOnce(path: string, { key, headers = {}, method, json }: RequestOptions): Promise<Reply> {
    const asked = `${method ?? (json === undefined ? 'GET' : 'POST')} ${path}`;
    try {
      const response = await fetch(`${this.url}${path}`, {
        method: method ?? (json === undefined ? 'GET' : 'POST'),
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      const { status } = response;
      const bytes = Buffer.from(await response.arrayBuffer());
      const text = bytes.toString();
      const reply = { status, headers: response.headers, bytes, text, body: parsed(response.headers, text) };
      this.seen.push({ asked, reply });
      return reply;
    } catch (error) {
      throw new CheckFailed(
        `${asked}: no response: ${error instanceof Error ? reasonOf(error) : String(error)}`,
      );
    }
  }
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

function parsed(headers: Headers, text: string): unknown {
  if (!(headers.get('content-type') ?? '').startsWith('application/json')) return undefined;
  return parseJson(text);
}
