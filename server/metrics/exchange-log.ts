import { pino, type DestinationStream, type Logger } from 'pino';
import type { Exchange, ExchangeObserver, Outcome } from '../http/exchange.js';
import { maskKeys } from './mask-keys.js';
import type { ServerMetrics } from './server-metrics.js';

/** Returns an observer that logs and measures every answer. */
export function exchangeObserver(log: Logger, metrics: ServerMetrics): ExchangeObserver {
  const writeLine = log.isLevelEnabled('info') ? lineWriter(log) : (): void => undefined;
  return {
    ended: (exchange, outcome) => {
      const ms = performance.now() - exchange.startedMs;
      metrics.observe(exchange.route, { status: outcome.status, code: outcome.code, seconds: ms / 1000 });
      if (outcome.cause === undefined) writeLine(fieldsOf(exchange, outcome, ms));
      else if (isInternal(outcome))
        log.error({ ...fieldsOf(exchange, outcome, ms), err: outcome.cause }, 'internal error');
      else log.info(fieldsOf(exchange, outcome, ms), maskKeys(reasonOf(outcome.cause)));
    },
  };
}

/**
 * Returns an observer that measures the answers of endpoints to tools. They have no lines of their own, because the
 * request that called the tool has one; only internal errors are logged.
 */
export function toolCallObserver(
  log: Logger,
  metrics: ServerMetrics,
): (route: string, outcome: Outcome & { readonly seconds: number }) => void {
  return (route, outcome) => {
    metrics.observe(route, outcome);
    if (isInternal(outcome)) log.error({ route, err: outcome.cause }, 'internal error');
  };
}

/** Returns the message of an upstream failure. Its stack trace would show nothing about the upstream. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** The log fields of an answer. */
interface AnswerFields {
  readonly id: string;
  readonly method: string | undefined;
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly code: number;
  /** Until the answer was written to the socket, rounded to 0.01. */
  readonly ms: number;
  readonly client: string;
  readonly account: number | undefined;
  readonly tool: string | undefined;
}

/**
 * Returns a function that writes the same line as `log.info(fields)`. pino's own serialisation of all fields takes
 * longer than the lookup of an address.
 */
function lineWriter(log: Logger): (fields: AnswerFields) => void {
  const { symbols } = pino;
  const internals = log as unknown as Readonly<Record<symbol, unknown>>;
  const stream = internals[symbols.streamSym] as DestinationStream;
  // The fields of every line of this logger: `,"pid":17`.
  const always = internals[symbols.chindingsSym] as string;
  const level = pino.levels.values['info'];
  return ({ id, method, route, path, status, code, ms, client, account, tool }) => {
    const asked = `"method":${JSON.stringify(method)},"route":${JSON.stringify(route)},"path":${JSON.stringify(path)}`;
    const answered = `"status":${status},"code":${code},"ms":${ms},"client":${JSON.stringify(client)}`;
    const by = account === undefined ? '' : `,"account":${account}`;
    const called = tool === undefined ? '' : `,"tool":${JSON.stringify(tool)}`;
    stream.write(
      `{"level":${level},"time":${Date.now()}${always},"id":${JSON.stringify(id)},${asked},${answered}${by}${called}}\n`,
    );
  };
}

/** Returns whether the failure is an internal error. 502 and 504 are upstream failures; 503 is logged elsewhere. */
function isInternal({ code }: Outcome): boolean {
  return code === 500;
}

/** Returns the log fields. Leaves the query out, because `token=` may contain a key in any encoding. */
function fieldsOf(
  { id, ctx, route, client, account }: Exchange,
  { status, code, tool }: Outcome,
  ms: number,
): AnswerFields {
  const { method, url = '' } = ctx.req;
  const at = url.indexOf('?');
  return {
    id,
    method,
    route,
    path: maskKeys(shortened(at < 0 ? url : url.slice(0, at))),
    status,
    code,
    ms: Math.round(ms * 100) / 100,
    client,
    account: account?.id,
    tool,
  };
}

/** Greatest length of a logged path, so that a line is shorter than what a pipe accepts as a whole. */
const PATH_LENGTH = 2000;

function shortened(path: string): string {
  return path.length <= PATH_LENGTH ? path : `${path.slice(0, PATH_LENGTH)}…`;
}
