import { pino, type DestinationStream, type Logger } from 'pino';
import type { Exchange, ExchangeObserver, Outcome } from '../http/exchange.js';
import type { ServerMetrics } from './server-metrics.js';

/** Logs and measures every answer. */
export function exchangeObserver(log: Logger, metrics: ServerMetrics): ExchangeObserver {
  const writeLine = log.isLevelEnabled('info') ? lineWriter(log) : (): void => undefined;
  return {
    ended: (exchange, outcome) => {
      const ms = performance.now() - exchange.startedMs;
      metrics.observe(exchange.route, { status: outcome.status, code: outcome.code, seconds: ms / 1000 });
      if (outcome.cause === undefined) writeLine(fieldsOf(exchange, outcome, ms));
      else if (isOurs(outcome))
        log.error({ ...fieldsOf(exchange, outcome, ms), err: outcome.cause }, 'failed');
      else log.info(fieldsOf(exchange, outcome, ms), reasonOf(outcome.cause));
    },
  };
}

/** Of others' failures the words are enough: our stack says nothing of theirs. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** What the log tells of an answer. */
interface AnswerFields {
  readonly id: string;
  readonly method: string | undefined;
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly code: number;
  /** Until the answer was handed to the socket, in hundredths. */
  readonly ms: number;
  readonly client: string;
  readonly account: number | undefined;
}

/**
 * Writes the line that `log.info(fields)` writes, put together here: pino looks at every field of every line anew, which
 * takes longer than the look-up of an address.
 */
function lineWriter(log: Logger): (fields: AnswerFields) => void {
  const { symbols } = pino;
  const internals = log as unknown as Readonly<Record<symbol, unknown>>;
  const stream = internals[symbols.streamSym] as DestinationStream;
  // What stands in every line of this logger: `,"pid":17`.
  const always = internals[symbols.chindingsSym] as string;
  const level = pino.levels.values['info'];
  return ({ id, method, route, path, status, code, ms, client, account }) => {
    const asked = `"method":${JSON.stringify(method)},"route":${JSON.stringify(route)},"path":${JSON.stringify(path)}`;
    const answered = `"status":${status},"code":${code},"ms":${ms},"client":${JSON.stringify(client)}`;
    const by = account === undefined ? '' : `,"account":${account}`;
    stream.write(
      `{"level":${level},"time":${Date.now()}${always},"id":${JSON.stringify(id)},${asked},${answered}${by}}\n`,
    );
  };
}

/** 502 and 504 are others' faults, 503 is known already. */
function isOurs({ code }: Outcome): boolean {
  return code === 500;
}

/** A query string may hold a key in `token=`, however it is spelt, so none is written. */
function fieldsOf(
  { id, ctx, route, client, account }: Exchange,
  { status, code }: Outcome,
  ms: number,
): AnswerFields {
  const { method, url = '' } = ctx.req;
  const at = url.indexOf('?');
  return {
    id,
    method,
    route,
    path: withoutKeys(at < 0 ? url : url.slice(0, at)),
    status,
    code,
    ms: Math.round(ms * 100) / 100,
    client,
    account: account?.id,
  };
}

/** Somebody may have put a key where a target belongs, in whatever spelling. */
function withoutKeys(path: string): string {
  return path.includes('ipa') || path.includes('%') ? path.replace(KEY_IN_PATH, 'ipa_…') : path;
}

/** `ipa_` and what follows, plain or percent-encoded. */
const KEY_IN_PATH = /(?:i|%69)(?:p|%70)(?:a|%61)(?:_|%5f)[^/]*/gi;
