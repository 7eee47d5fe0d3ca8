import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../http/answer.js';
import type { Route } from '../http/route.js';
import type { Snapshot } from '../release/snapshot.js';

/** A request of a test. */
export interface Sent {
  readonly snapshot: Snapshot;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: IncomingHttpHeaders;
  readonly client?: string;
  readonly batchLimit?: number;
}

/** The answer of a route, and whether it did asynchronous work. */
export interface Received {
  readonly answer: Answer;
  readonly waited: boolean;
}

/** Calls a route without HTTP and metering. Throws Failure, and ZodError for values that a schema refuses. */
export async function callRoute(route: Route, sent: Sent): Promise<Received> {
  const answered = route.answer({
    params: route.params.parse(sent.params ?? {}),
    query: route.query.parse(sent.query ?? {}),
    body: route.body?.parse(sent.body),
    client: sent.client ?? '9.9.9.9',
    account: undefined,
    batchLimit: sent.batchLimit ?? 5,
    snapshot: sent.snapshot,
    method: route.method === 'post' ? 'POST' : 'GET',
    headers: sent.headers ?? {},
    closed: new AbortController().signal,
  });
  if (typeof answered === 'function') return { answer: await answered(), waited: true };
  if (answered.kind !== 'preflight') return { answer: answered, waited: false };
  const found = await answered.look();
  return { answer: typeof found === 'function' ? await found() : found, waited: true };
}
