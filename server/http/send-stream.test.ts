import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import Koa from 'koa';
import t from 'tap';
import { z } from 'zod';
import { newLedgerForTest } from '../ledger/testing/ledger.js';
import type { Outcome } from './exchange.js';
import { mountRoutes } from './mount-routes.js';
import { requestListener } from './request-listener.js';
import { defineRoute } from './route.js';

/** The streams of all answers. */
const opened: Readable[] = [];

/** Sends the first bytes of a longer file. */
const files = defineRoute({
  method: 'get',
  paths: ['/file'],
  operationId: 'file',
  tag: 'test',
  summary: 'A file.',
  terms: { kind: 'keyless', bucket: 'public' },
  params: z.object({}),
  query: z.object({}),
  shape: { kind: 'file' },
  answer: () => {
    const stream = new Readable({ read: () => undefined });
    stream.push('first');
    opened.push(stream);
    return { kind: 'stream', status: 200, headers: { 'Content-Length': '100' }, stream };
  },
});

const { ledger } = await newLedgerForTest(t);
const outcomes: Outcome[] = [];
const parts = {
  accounts: ledger.accounts,
  meter: ledger.meter,
  bodies: { read: () => Promise.resolve(undefined) },
  currentSnapshot: () => undefined,
  observer: { ended: (_: unknown, outcome: Outcome) => outcomes.push(outcome) },
  clientAddress: () => '192.0.2.1',
  isDraining: () => false,
};
const mount = mountRoutes(parts, { routes: [files], pages: [] });
const stray: unknown[] = [];
const server = createServer(requestListener(new Koa(), mount, (error) => stray.push(error)));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
t.teardown(() => server.close());

/** Requests the file, waits for its first bytes, and returns the connection and the stream behind it. */
async function begun() {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /file HTTP/1.1\r\nHost: a\r\n\r\n');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  while (!text.includes('first')) await once(socket, 'data');
  return { socket, stream: opened.at(-1)! };
}

async function outcome(): Promise<Outcome> {
  while (outcomes.length === 0) await new Promise(setImmediate);
  return outcomes.pop()!;
}

t.test('a file that cannot be read to its end is an internal error, and the connection ends', async (t) => {
  for (const cause of [
    Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }),
    new Error('damaged'),
  ]) {
    const { socket, stream } = await begun();
    const closed = once(socket, 'close');
    stream.destroy(cause);
    t.same(await outcome(), { status: 200, code: 500, cause });
    await closed;
  }
});

t.test('a caller who hangs up is no internal error, and the file is closed', async (t) => {
  const { socket, stream } = await begun();
  socket.destroy();
  t.match(await outcome(), { status: 200, code: 0, cause: { code: 'ERR_STREAM_PREMATURE_CLOSE' } });
  t.ok(stream.destroyed);
});
