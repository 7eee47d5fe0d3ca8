import { setTimeout } from 'node:timers/promises';

/** What a service answered. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** As received, but for what the transport adds. */
  readonly bytes: Buffer;
  readonly text: string;
  /** Absent when the body is no JSON. */
  readonly body: unknown;
}

/** What is asked, besides the path. */
export interface Asking {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** What to do when the minute is spent: wait as long as the service says, once, or take the 429. */
  readonly whenSpent?: 'wait' | 'take it';
}

/** A rule that the service does not keep; the message says how. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** The service that is held against its description. Answers are kept for rules about all of them. */
export class ServiceClient {
  /** Every answer so far, by what was asked. */
  readonly seen: { readonly asked: string; readonly reply: Reply }[] = [];

  readonly #kept = new Map<string, Reply>();

  constructor(
    /** Without a slash at the end. */
    private readonly url: string,
    private readonly timeoutMs = 30_000,
  ) {}

  /** The answer to a plain request that is asked but the first time: several checks look at it. */
  async once(path: string, asking: Pick<Asking, 'key'> = {}): Promise<Reply> {
    const id = `${asking.key ?? ''} ${path}`;
    const kept = this.#kept.get(id);
    if (kept !== undefined) return kept;
    const reply = await this.ask(path, asking);
    this.#kept.set(id, reply);
    return reply;
  }

  /** Throws Broken when there is no answer. */
  async ask(path: string, asking: Asking = {}): Promise<Reply> {
    const reply = await this.#askOnce(path, asking);
    const waitSeconds = Number(reply.headers.get('retry-after') ?? 0);
    if (reply.status !== 429 || waitSeconds === 0 || asking.whenSpent === 'take it') return reply;
    await setTimeout(Math.min(waitSeconds, 60) * 1000);
    return await this.#askOnce(path, asking);
  }

  async #askOnce(path: string, { key, headers = {}, method, json }: Asking): Promise<Reply> {
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
      throw new Broken(`${asked}: no answer: ${error instanceof Error ? reasonOf(error) : String(error)}`);
    }
  }
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

function parsed(headers: Headers, text: string): unknown {
  if (!(headers.get('content-type') ?? '').startsWith('application/json')) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
