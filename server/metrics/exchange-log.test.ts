import assert from 'node:assert';
import { pino } from 'pino';
import t from 'tap';
import type { Context, Exchange } from '../http/exchange.js';
import { exchangeObserver } from './exchange-log.js';
import { ServerMetrics } from './server-metrics.js';

const PATHS = [
  '/api/ip/1.1.1.1',
  '/mcp',
  '/api/ip/"quoted"\\and\u0007worse',
  '/ö\u007f/ÿ',
  `/${'long'.repeat(100)}`,
  '/a/ipa_0123456789',
  '/%69pa%5f0123/sources',
  '/api/ip/%2569pa_0123/sources',
];

/** Returns the line that the observer writes for an answer, and the line that pino writes for the same fields. */
function linesOf(
  path: string,
  account?: { readonly id: number },
  tool?: string,
): { readonly ours: string; readonly pinos: string } {
  const lines: string[] = [];
  const log = pino({ base: { pid: 17, name: 'a "name"' } }, { write: (line) => void lines.push(line) });
  const metrics = new ServerMetrics(() => ({
    release: undefined,
    refusedReleases: 0,
    isRedisUp: true,
    redisServers: 1,
  }));
  const exchange = {
    ...{ id: 'a-1', route: '/api/ip/{target}', client: '192.0.2.1', startedMs: performance.now() },
    ctx: { req: { method: 'GET', url: `${path}?token=ipa_secret` } } as unknown as Context,
    account,
  } as Exchange;
  exchangeObserver(log, metrics).ended(exchange, {
    status: 200,
    code: 404,
    ...(tool !== undefined && { tool }),
  });
  const { level, time, pid, name, ...fields } = JSON.parse(lines[0]!) as Record<string, unknown>;
  assert.deepEqual([level, pid, name], [30, 17, 'a "name"']);
  assert(Math.abs(Date.now() - Number(time)) < 60_000);
  log.info(fields);
  const withoutTime = lines.map((line) => line.replace(/"time":\d+/, ''));
  return { ours: withoutTime[0]!, pinos: withoutTime[1]! };
}

t.test('the log line of an answer equals the line pino writes, byte for byte', (t) => {
  for (const path of PATHS) {
    for (const account of [undefined, { id: 3 }]) {
      const tool = path === '/mcp' ? 'lookup' : undefined;
      const { ours, pinos } = linesOf(path, account, tool);
      t.equal(ours, pinos, JSON.stringify(path));
    }
  }
  t.end();
});

t.test('neither keys nor queries are logged', (t) => {
  for (const path of PATHS) {
    const { ours } = linesOf(path);
    t.notMatch(ours, /0123|token|secret/, JSON.stringify(path));
  }
  t.match(linesOf('/%69pa%5f0123/sources').ours, '/ipa_…/sources');
  t.end();
});

t.test('a long path is shortened', (t) => {
  const { path } = /"path":"(?<path>[^"]*)"/.exec(linesOf(`/${'a'.repeat(16_000)}`).ours)!.groups!;
  t.equal(path, `/${'a'.repeat(1999)}…`);
  t.notMatch(linesOf(`/${'a'.repeat(1980)}/%2569pa_0123456789012345`).ours, /0123/);
  t.end();
});

t.test('at log level warn no answers are logged', (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const ended = exchangeObserver(
    log,
    new ServerMetrics(() => ({ release: undefined, refusedReleases: 0, isRedisUp: true, redisServers: 1 })),
  );
  const exchange = {
    id: '1',
    route: '/',
    client: '::1',
    startedMs: 0,
    ctx: { req: { method: 'GET', url: '/' } },
  };
  ended.ended(exchange as unknown as Exchange, { status: 200, code: 0 });
  t.same(lines, []);
  t.end();
});
