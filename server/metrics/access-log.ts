import { pino, type Logger } from 'pino';
import type { ServerConfig } from '../config.js';
import type { Exchange, ExchangeObserver, Outcome } from '../http/exchange.js';
import { peopleStream } from './people-lines.js';
import type { ServerMetrics } from './server-metrics.js';

/** Bytes that are kept back before they are written, and for how long at most. */
const BUFFER_BYTES = 16_000;
const FLUSH_MS = 500;
/** Lines that wait for a disk that takes nothing; more than this are lost. */
const MOST_BYTES = 1 << 20;

/** The server's log on stdout: JSON lines, written in batches; on a terminal plain ones, at once. */
export interface ServerLog {
  readonly log: Logger;
  /** Writes what is kept back, for a process that is about to end. */
  flush(): void;
}

/** Opens the log. Where it cannot be written, on a full disk, that is said once on stderr, and the server goes on. */
export function openLog(level: ServerConfig['logLevel']): ServerLog {
  if (process.stdout.isTTY)
    return { log: pino({ level }, peopleStream(process.stdout)), flush: () => undefined };
  const sizes = { minLength: BUFFER_BYTES, maxLength: MOST_BYTES };
  const destination = pino.destination({ dest: 1, sync: false, ...sizes });
  let isFailing = false;
  const tell = lossTeller();
  destination.on('error', (error: Error) => {
    isFailing = true;
    tell(error);
  });
  destination.on('write', () => {
    isFailing = false;
  });
  const log = pino({ level, base: { pid: process.pid } }, destination);
  setInterval(() => {
    destination.flush();
  }, FLUSH_MS).unref();
  return {
    log,
    flush: () => {
      // It would try for ever where the disk takes nothing, here and when the process exits.
      if (isFailing) destination.destroy();
      else destination.flushSync();
    },
  };
}

function lossTeller(): (error: Error) => void {
  let isTold = false;
  return (error) => {
    if (!isTold) process.stderr.write(`the log cannot be written: ${error.message}\n`);
    isTold = true;
  };
}

/** Logs and measures every answer. */
export function exchangeObserver(log: Logger, metrics: ServerMetrics): ExchangeObserver {
  return {
    ended: (exchange, outcome) => {
      const ms = performance.now() - exchange.startedMs;
      metrics.observe(exchange.route, { status: outcome.status, code: outcome.code, seconds: ms / 1000 });
      const line = lineOf(exchange, outcome, ms);
      if (outcome.cause === undefined) log.info(line);
      else if (isOurs(outcome)) log.error({ ...line, err: outcome.cause }, 'failed');
      else log.info({ ...line, err: outcome.cause });
    },
  };
}

/** 502 and 504 are others' faults, 503 is known already. */
function isOurs({ code }: Outcome): boolean {
  return code === 500;
}

/** A query string may hold a key in `token=`, however it is spelt, so none is written. */
function lineOf(
  { id, ctx, route, client, account }: Exchange,
  { status, code }: Outcome,
  ms: number,
): object {
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
