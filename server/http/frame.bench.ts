import { Router } from '@koa/router';
import autocannon from 'autocannon';
import Koa from 'koa';
import { createServer, type RequestListener } from 'node:http';
import { z } from 'zod';
import { newApp } from '../app.js';
import type { Admission, Meter } from '../metering/meter.js';
import type { Snapshot } from '../release/snapshot.js';
import { exchangeObserver, openLog } from '../metrics/access-log.js';
import { ServerMetrics } from '../metrics/server-metrics.js';
import { ok } from './answer.js';
import { clientAddressOf } from './client-address.js';
import { listen } from './listener.js';
import { defineRoute } from './route.js';

/** What a lookup answers, about as long. */
const DATA = {
  ip: '1.1.1.1',
  ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field_${i}`, `value ${i}`])),
};

const ADMITTED: Admission = { window: { limit: 30, remaining: 29, reset: 1_800_000_000 } };
const admitted = () => Promise.resolve(ADMITTED);
/** Lets everybody in, in no time: what is measured is the frame. */
const meter: Meter = { peek: admitted, count: admitted, charge: admitted, reserve: admitted };

const route = defineRoute({
  method: 'get',
  paths: ['/api/ip/:target'],
  operationId: 'constant',
  tag: 'Bench',
  summary: 'A constant.',
  terms: { kind: 'metered', key: 'optional', credits: 1 },
  params: z.object({ target: z.string() }),
  query: z.object({ lang: z.string().optional() }),
  shape: { kind: 'envelope', data: z.unknown() },
  answer: () => ok(DATA),
});

function framed(): RequestListener {
  const metrics = new ServerMetrics(() => ({ release: undefined, refusedReleases: 0, isRedisUp: true }));
  const { log } = openLog(process.env['LOG_LEVEL'] === 'info' ? 'info' : 'silent');
  return newApp({
    accounts: { authenticate: () => ({ kind: 'invalid' }) },
    meter,
    currentSnapshot: () => ({ id: 'bench' }) as Snapshot,
    observer: exchangeObserver(log, metrics),
    clientAddress: clientAddressOf([]),
    isDraining: () => false,
    routes: [route],
    readiness: () => ({ isDraining: false, release: 'bench', refused: undefined, isRedisUp: true }),
    onStray: () => undefined,
  });
}

/** The same bytes by Koa's own means. */
function bare(headers: Headers): RequestListener {
  const app = new Koa();
  const router = new Router();
  router.get('/api/ip/:target', (ctx) => {
    for (const [name, value] of headers) ctx.set(name, value);
    ctx.body = JSON.stringify({ code: 0, data: DATA });
  });
  app.use(router.routes() as unknown as Koa.Middleware);
  const answer = app.callback();
  return (req, res) => void answer(req, res);
}

async function measure(url: string): Promise<number> {
  const { requests } = await autocannon({
    url: `${url}/api/ip/1.1.1.1?lang=en`,
    connections: 32,
    duration: 3,
  });
  return requests.average;
}

const framedServer = createServer(framed());
const framedUrl = await listen(framedServer, 0, '127.0.0.1');
const sample = await fetch(`${framedUrl}/api/ip/1.1.1.1`);
const own = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'];
const headers = new Headers([...sample.headers].filter(([name]) => !own.includes(name)));
const bareServer = createServer(bare(headers));
const bareUrl = await listen(bareServer, 0, '127.0.0.1');
const ratios: number[] = [];
for (let round = 0; round < 4; round++) {
  const [bareRate, framedRate] = [await measure(bareUrl), await measure(framedUrl)];
  ratios.push(framedRate / bareRate);
  process.stderr.write(
    `bare ${Math.round(bareRate)}/s, framed ${Math.round(framedRate)}/s: ${(framedRate / bareRate).toFixed(2)}\n`,
  );
}
process.exit(0);
