import t, { type Test } from 'tap';
import { encode } from 'dns-packet';
import { clientOf } from '../../egress/testing/loopback-world.js';
import { deadlineIn } from '../../deadline.js';
import { DohServer } from '../../global-dns/testing/doh-server.js';
import { startWorker, WORKER_SECRET, type WorkerServer } from '../../global-dns/testing/worker-server.js';
import { signatureOf, SIGNATURE_WINDOW_S } from './signature.js';
import { newWorker, type WorkerAnswer } from './worker.js';

const doh = await DohServer.start({
  'a.example.com': [{ type: 'A', name: 'a.example.com', data: '9.9.9.9' }],
});
t.teardown(() => doh.close());

const message = encode({ type: 'query', questions: [{ type: 'A', name: 'a.example.com' }] }).toString(
  'base64',
);
const question = { url: doh.resolver().url, message };

interface Sent {
  readonly body?: unknown;
  readonly secret?: string;
  readonly ageS?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST';
}

/** Sends a signed question to the worker. */
async function send(t: Test, worker: WorkerServer, sent: Sent = {}) {
  const http = await clientOf(t, { 'worker.test-upstream.example.com': ['127.0.0.1'] });
  const body = typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body ?? question);
  const timestamp = String(Math.floor(Date.now() / 1000) - (sent.ageS ?? 0));
  const signature = await signatureOf({ timestamp, body }, sent.secret ?? WORKER_SECRET);
  const method = sent.method ?? 'POST';
  const reply = await http.request({
    url: new URL(worker.url),
    method,
    maxBytes: 200_000,
    deadline: deadlineIn(5000),
    maxRedirects: 0,
    headers: { 'x-timestamp': timestamp, 'x-signature': signature, ...sent.headers },
    ...(method === 'POST' ? { body: Buffer.from(body) } : {}),
  });
  return { status: reply.status, body: JSON.parse(reply.body.toString()) as unknown };
}

t.test('a signed question is sent to the resolver, and the answer names the location', async (t) => {
  const worker = await startWorker(t, { cf: { colo: 'FRA', country: 'DE', city: 'Frankfurt am Main' } });
  const { status, body } = await send(t, worker);
  t.equal(status, 200);
  t.match(body, { colo: 'FRA', country: 'DE', location: 'Frankfurt am Main' });
  t.ok(Buffer.from((body as WorkerAnswer).message, 'base64').includes(Buffer.from([9, 9, 9, 9])));
  t.match(doh.asked.at(-1), {
    name: 'a.example.com',
    method: 'POST',
    contentType: 'application/dns-message',
  });
});

t.test('parameters of the media type are ignored', async (t) => {
  const answer = new Response('message', {
    headers: { 'content-type': 'Application/dns-message; charset=utf-8' },
  });
  const body = JSON.stringify(question);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = await signatureOf({ timestamp, body }, WORKER_SECRET);
  const request = new Request('https://worker.example.com/', {
    method: 'POST',
    body,
    headers: { 'x-timestamp': timestamp, 'x-signature': signature },
  });
  const worker = newWorker(() => Promise.resolve(answer));
  const { status } = await worker.fetch(request, { DNS_WORKER_SECRET: WORKER_SECRET });
  t.equal(status, 200);
});

t.test('location fields the platform does not provide are empty', async (t) => {
  t.match((await send(t, await startWorker(t))).body, { colo: '', country: '', location: '' });
});

t.test('wrong, foreign, old and future signatures are rejected without a query', async (t) => {
  const worker = await startWorker(t);
  const before = doh.asked.length;
  const refused: Sent[] = [
    { secret: 'another secret of sixteen characters' },
    { ageS: SIGNATURE_WINDOW_S + 5 },
    { ageS: -SIGNATURE_WINDOW_S - 5 },
    { headers: { 'x-signature': '' } },
    { headers: { 'x-signature': '0'.repeat(64) } },
    { headers: { 'x-timestamp': '' } },
    // Signed for another second.
    { headers: { 'x-timestamp': String(Math.floor(Date.now() / 1000) - 7) } },
    { headers: { 'x-timestamp': 'now' } },
  ];
  for (const sent of refused) t.equal((await send(t, worker, sent)).status, 401, JSON.stringify(sent));
  t.equal(doh.asked.length, before);
  t.equal((await send(t, worker, { ageS: SIGNATURE_WINDOW_S - 10 })).status, 200);
});

t.test('without a configured secret every request is rejected', async (t) => {
  const worker = await startWorker(t, { secret: '' });
  t.equal((await send(t, worker)).status, 401);
});

t.test('invalid questions are rejected', async (t) => {
  const worker = await startWorker(t);
  const bad = [
    'not JSON',
    'null',
    '[]',
    {},
    { ...question, url: 'http://doh.example.com/' },
    { ...question, url: 'https://user@doh.example.com/' },
    { ...question, url: 'https://' },
    { ...question, message: '%%%%' },
    { ...question, message: 1 },
  ];
  for (const body of bad) t.equal((await send(t, worker, { body })).status, 400, JSON.stringify(body));
  t.equal((await send(t, worker, { body: ' '.repeat(5000) })).status, 413);
  t.equal((await send(t, worker, { method: 'GET' })).status, 405);
});

t.test('a resolver without a valid answer is 502', async (t) => {
  const worker = await startWorker(t);
  t.teardown(() => (doh.manner = 'answers'));
  for (const manner of ['status 500', 'html', 'oversized', 'redirects'] as const) {
    doh.manner = manner;
    t.equal((await send(t, worker)).status, 502, manner);
  }
  const gone = { ...question, url: 'https://doh.test-upstream.example.com:1/' };
  t.equal((await send(t, worker, { body: gone })).status, 502);
});
