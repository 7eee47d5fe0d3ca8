import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { freePort } from '../testing/free-port.js';
import { newReceiver, type Received } from './testing/receiver.js';
import { postWebhook, type WebhookAddress } from './webhook.js';

const KEY = Buffer.alloc(32, 7);
const OLD_KEY = Buffer.alloc(24, 9);
const secretOf = (key: Buffer): string => `whsec_${key.toString('base64')}`;
const MESSAGE = { id: 'msg_1', body: '{"type":"build.test","city":"南京"}' };
const QUICK = { total: 20_000, attempt: 5000, pause: 1 };

/** The address of a receiver whose messages are signed with KEY. */
const at = (url: string, secrets = [secretOf(KEY)]): WebhookAddress => ({ url: new URL(url), secrets });

/** Computes a signature from the text of Standard Webhooks, without its library. */
function signatureOf({ headers, body }: Received, key: Buffer): string {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

t.test('a message is posted as JSON and signed with every secret', async (t) => {
  const { url, received } = await newReceiver(t);
  const address = at(`${url}/hook?team=1`, [secretOf(KEY), secretOf(OLD_KEY)]);
  t.equal(await postWebhook(address, MESSAGE), undefined);
  const [request] = received;
  t.equal(received.length, 1);
  t.equal(request?.path, '/hook?team=1');
  t.equal(request?.body, MESSAGE.body);
  t.equal(request?.headers['content-type'], 'application/json');
  t.equal(request?.headers['webhook-id'], 'msg_1');
  t.match(request?.headers['webhook-timestamp'], /^\d{10}$/);
  t.equal(
    request?.headers['webhook-signature'],
    `${signatureOf(request!, KEY)} ${signatureOf(request!, OLD_KEY)}`,
  );
});

t.test('without a secret a message has no signature', async (t) => {
  const { url, received } = await newReceiver(t);
  t.equal(await postWebhook(at(url, []), MESSAGE), undefined);
  t.equal(received[0]?.headers['webhook-id'], 'msg_1');
  t.notOk('webhook-signature' in received[0]!.headers);
});

t.test('429, 5xx and a dropped connection are tried again with the same id', async (t) => {
  const { url, received } = await newReceiver(t, (response, n) => {
    if (n === 2) response.destroy();
    else response.writeHead([429, 503][n] ?? 200, n === 0 ? { 'Retry-After': '0' } : {}).end('a body');
  });
  t.equal(await postWebhook(at(url), MESSAGE, QUICK), undefined);
  t.equal(received.length, 4);
  t.strictSame(new Set(received.map(({ headers }) => headers['webhook-id'])), new Set(['msg_1']));
  for (const request of received)
    t.equal(
      request.headers['webhook-signature'],
      signatureOf(request, KEY),
      'each attempt has a valid signature',
    );
});

t.test('attempts end with the time limit', async (t) => {
  const { url, received } = await newReceiver(t, (response) => response.writeHead(500).end());
  const failure = await postWebhook(at(url), MESSAGE, { ...QUICK, total: 1000, pause: 10 });
  // The last attempt has little time.
  t.match(failure, /^(status 500|time limit exceeded) \(\d+ attempts\)$/);
  t.ok(received.length >= 2);
});

t.test('a Retry-After behind the time limit ends the attempts', async (t) => {
  const { url, received } = await newReceiver(t, (response) =>
    response.writeHead(503, { 'Retry-After': '3600' }).end(),
  );
  t.equal(await postWebhook(at(url), MESSAGE, QUICK), 'status 503 (1 attempt)');
  t.equal(received.length, 1);
});

t.test('redirects are not followed, and 4xx is final', async (t) => {
  const elsewhere = await newReceiver(t);
  const { url, received } = await newReceiver(t, (response, n) =>
    n === 0
      ? response.writeHead(307, { Location: elsewhere.url }).end()
      : response.writeHead(410).end('<html>gone</html>'),
  );
  t.equal(await postWebhook(at(url), MESSAGE, QUICK), 'status 307: redirects are not followed (1 attempt)');
  t.equal(await postWebhook(at(url), MESSAGE, QUICK), 'status 410 (1 attempt)');
  t.equal(received.length, 2);
  t.equal(elsewhere.received.length, 0);
});

t.test('user and password of a URL are sent as Authorization', async (t) => {
  const { url, received } = await newReceiver(t);
  await postWebhook({ ...at(url), authorization: 'Basic YTpi' }, MESSAGE);
  t.equal(received[0]?.headers.authorization, 'Basic YTpi');
});

t.test('a failed connection has the code of the system, a silent receiver a time limit', async (t) => {
  const refused = await postWebhook(at(`http://127.0.0.1:${await freePort()}`), MESSAGE, {
    ...QUICK,
    pause: 30_000,
  });
  t.equal(refused, 'ECONNREFUSED (1 attempt)');
  const silent = createServer((socket) => void text(socket).catch(() => undefined));
  const port = await freePort();
  await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
  t.teardown(() => silent.close());
  const failure = await postWebhook(at(`http://127.0.0.1:${port}`), MESSAGE, {
    total: 100,
    attempt: 50,
    pause: 10,
  });
  t.match(failure, /^time limit exceeded \(\d+ attempts?\)$/);
});
