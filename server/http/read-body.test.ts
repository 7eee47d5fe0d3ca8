import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import t from 'tap';
import { Failure } from '../failure.js';
import { openSocket, readAnswer, sendRaw } from '../testing/raw-http.js';
import { runServer } from '../testing/running-server.js';
import { BodiesUnderWay, UNDER_WAY } from './bodies-under-way.js';
import { BODY_LIMITS, BodyReader } from './read-body.js';

const written: string[] = [];
const sink = new Writable({
  write: (chunk: Buffer, _, done) => {
    written.push(chunk.toString());
    done();
  },
});
const server = await runServer(t, {
  trustedProxies: ['127.0.0.1/32'],
  log: pino({ level: 'info' }, sink),
});
const PATH = '/api/ip/batch';
const SMALL_BODY = '{"ips":["8.8.8.8"]}';

/** Returns the bytes of a POST. Header lines end in CRLF. */
function post(headers: string, body: string, length = body.length): string {
  return `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: ${length}\r\n\r\n${body}`;
}

const from = (address: string): string => `X-Forwarded-For: ${address}\r\n`;

/** Sends bytes and waits until the answer matches. Fails the test when the connection closes before. */
async function sees(socket: Socket, bytes: string, pattern: RegExp): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (pattern.test(text)) socket.emit('seen');
  });
  socket.once('close', () => socket.emit('seen'));
  socket.write(bytes, 'latin1');
  await once(socket, 'seen');
  socket.removeAllListeners('data').resume();
  return text;
}

/** Sends bytes and reads until the connection closes, also by a reset. */
async function untilClosed(bytes: string): Promise<string> {
  const socket = openSocket(server.url);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.write(bytes, 'latin1');
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

/** Uses up the minute of an anonymous caller. */
async function spend(address: string): Promise<void> {
  for (let status = 200; status !== 429;)
    ({ status } = await server.get('/api/ip/8.8.8.8', { 'X-Forwarded-For': address }));
}

t.test('decision 5: a caller over the limit is refused before its body arrives', async (t) => {
  await spend('192.0.2.1');
  for (const headers of ['Content-Length: 9000', 'Content-Length: 262144', 'Transfer-Encoding: chunked']) {
    const bytes = `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${from('192.0.2.1')}${headers}\r\n\r\n`;
    const answer = readAnswer(await sendRaw(server.url, bytes));
    t.equal(answer.status, 429, headers);
    t.match(JSON.parse(answer.body), { code: 429 }, headers);
  }
});

t.test(
  'decision 5: the minute is counted once for a call with a body, and one call is charged',
  async (t) => {
    const key = await server.key('pro');
    const headers = { Authorization: `Bearer ${key}` };
    const first = await server.post(PATH, SMALL_BODY, headers);
    t.match(first.body, { code: 0 });
    t.equal(first.headers.get('x-ratelimit-remaining'), '599');
    t.match((await server.post(PATH, '{"ips":[]}', headers)).body, { code: 400 });
    const { data } = (await server.get('/api/user/usage', headers)).body as { data: { today: number } };
    t.equal(data.today, 1, 'the refused call costs the minute only');
    const wide = { 'X-Forwarded-For': '2a00:1450:1:2::1' };
    t.match(await server.post(PATH, SMALL_BODY, wide), { status: 200, body: { code: 0 } }, 'an IPv6 source');
  },
);

t.test('decision 61: without a key a body may have 16384 bytes, with a key 262144', async (t) => {
  const padded = (bytes: number) => SMALL_BODY + ' '.repeat(bytes - SMALL_BODY.length);
  const anonymous = { 'X-Forwarded-For': '192.0.2.2' };
  const withKey = { Authorization: `Bearer ${await server.key('pro')}` };
  for (const [limit, headers] of [
    [BODY_LIMITS.anonymous, anonymous],
    [BODY_LIMITS.withKey, withKey],
  ] as const) {
    t.match((await server.post(PATH, padded(limit), headers)).body, { code: 0 }, `${limit}`);
    const refused = await server.post(PATH, padded(limit + 1), headers);
    t.match(refused, { status: 413, body: { code: 413, msg: `the body exceeds ${limit} bytes` } });
  }
  const chunk = `${(4096).toString(16)}\r\n${' '.repeat(4096)}\r\n`;
  const chunked = `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${from('192.0.2.2')}Transfer-Encoding: chunked\r\n\r\n`;
  const endless = readAnswer(await sendRaw(server.url, chunked + chunk.repeat(5)));
  t.equal(endless.status, 413, 'a body of unknown length is refused at the limit');
  t.match(endless.head, /Connection: close/);
  t.match(endless.body, /the limit without an API key; with a key it is 262144 bytes/);
});

t.test('decision 61: a body of many tiny chunks is refused, a few are not', async (t) => {
  const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${from('192.0.2.10')}Transfer-Encoding: chunked\r\n\r\n`;
  const tiny = (bytes: number): string =>
    Array.from(SMALL_BODY.padEnd(bytes), (byte) => `1\r\n${byte}\r\n`).join('');
  const refused = readAnswer(await sendRaw(server.url, head + tiny(10_000)));
  t.match(JSON.parse(refused.body), { code: 400, msg: /more than 1024 chunks with fewer than 16 bytes/ });
  t.match(refused.head, /Connection: close/);
  const socket = openSocket(server.url);
  t.match(await sees(socket, `${head}${tiny(1000)}0\r\n\r\n`, /\r\n\r\n.*}/s), /"code":0/);
  socket.destroy();
});

t.test('decision 61: only so many bodies of a source may arrive at a time', async (t) => {
  const key = `Authorization: Bearer ${await server.key('enterprise')}\r\n`;
  const begun = Array.from({ length: UNDER_WAY.perSource }, () => openSocket(server.url));
  // The interim answer shows that the server reads the body.
  const waiting = `${key}${from('192.0.2.3')}Expect: 100-continue\r\n`;
  for (const socket of begun)
    t.match(await sees(socket, post(waiting, '', 100), /\r\n\r\n/), /^HTTP\/1\.1 100 /);
  const refused = readAnswer(await sendRaw(server.url, post(key + from('192.0.2.3'), '{"ips', 20_000)));
  t.equal(refused.status, 429);
  t.match(refused.head, /Retry-After: 1\r\n/);
  const other = await server.post(PATH, SMALL_BODY, { 'X-Forwarded-For': '192.0.2.4' });
  t.match(other.body, { code: 0 }, 'another source is not affected');
  for (const socket of begun) socket.destroy();
  let text = '';
  do {
    const again = openSocket(server.url);
    text = await sees(again, post(waiting, '', 100), /\r\n\r\n/);
    again.destroy();
  } while (text.startsWith('HTTP/1.1 429'));
  t.match(text, /^HTTP\/1\.1 100 /, 'broken connections make room');
});

t.test('RFC 9110 §10.1.1: the body is asked for after admission only', async (t) => {
  const expecting = (address: string) =>
    post(`${from(address)}Expect: 100-continue\r\n`, '', SMALL_BODY.length);
  const admitted = openSocket(server.url);
  t.match(await sees(admitted, expecting('192.0.2.5'), /\r\n\r\n/), /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  t.match(await sees(admitted, SMALL_BODY, /\r\n\r\n.*}/s), /^HTTP\/1\.1 200 .*"code":0/s);
  admitted.destroy();
  await spend('192.0.2.5');
  const refused = readAnswer(await sendRaw(server.url, expecting('192.0.2.5')));
  t.equal(refused.status, 429);
  t.match(refused.head, /Connection: close/);
});

t.test('after a refused body the connection goes on with the next request, or closes', async (t) => {
  await spend('192.0.2.6');
  const hidden = `GET /ip HTTP/1.1\r\nHost: a\r\n${from('6.6.6.6')}\r\n`;
  const next = `GET /ip HTTP/1.1\r\nHost: a\r\n${from('192.0.2.7')}Connection: close\r\n\r\n`;
  const short = openSocket(server.url);
  const first = await sees(short, post(from('192.0.2.6'), '', hidden.length), /\r\n\r\n.*}/s);
  t.match(first, /^HTTP\/1\.1 429 /);
  t.notMatch(first, /Connection: close/);
  t.match(await sees(short, hidden + next, /\r\n\r\n.*\n/s), /^HTTP\/1\.1 200 .*\r\n\r\n192\.0\.2\.7\n$/s);
  const long = await untilClosed(post(from('192.0.2.6'), hidden.repeat(20_000)) + next);
  t.match(long, /^HTTP\/1\.1 429 .*Connection: close/s);
  t.equal(long.split('HTTP/1.1 ').length, 2, 'one answer');
  const stalled = await sendRaw(server.url, post(from('192.0.2.6'), '', 5000));
  t.match(stalled, /^HTTP\/1\.1 429 /, 'a short rest that does not come ends the connection');
});

t.test(
  'decision 61: a connection continues behind a rest of 16384 bytes, not behind a longer one',
  async (t) => {
    await spend('192.0.2.99');
    for (const [length, ends] of [
      [16_384, false],
      [16_385, true],
    ] as const) {
      const socket = openSocket(server.url);
      const answer = await sees(socket, post(from('192.0.2.99'), '', length), /\r\n\r\n.*}/s);
      t.match(answer, /^HTTP\/1\.1 429 /);
      t.equal(/Connection: close/.test(answer), ends, `${length} bytes`);
      socket.destroy();
    }
  },
);

t.test('a body that a GET should not have is dropped or ends the connection', async (t) => {
  const get = (length: number) =>
    `GET /ip HTTP/1.1\r\nHost: a\r\n${from('192.0.2.8')}Content-Length: ${length}\r\n\r\n`;
  for (const path of ['/ip', '/healthz', '/nothing']) {
    const answer = await sendRaw(server.url, get(1_000_000).replace('/ip', path));
    t.match(answer, /^HTTP\/1\.1 (200|404) .*Connection: close.*\r\n\r\n./s, path);
  }
});

t.test('a corrupt compressed body is 400 and no internal error', async (t) => {
  const headers = { 'X-Forwarded-For': '192.0.2.9', 'Content-Encoding': 'gzip' };
  const whole = gzipSync(SMALL_BODY);
  const send = async (body: Buffer) =>
    await server.ask(PATH, { method: 'POST', headers, body: new Uint8Array(body) });
  t.match(await send(whole), { status: 200, body: { code: 0 } });
  const cut = await send(whole.subarray(0, -9));
  t.match(cut, {
    status: 200,
    body: { code: 400, msg: 'the body is not valid gzip data: unexpected end of file' },
  });
  t.match(await send(Buffer.from(SMALL_BODY)), { body: { code: 400, msg: /not valid gzip data/ } });
  t.match(await send(gzipSync(Buffer.alloc(10_000_000))), { status: 413 });
  t.notMatch(written.join(''), /internal error|"code":500/);
});

/** Starts a server that only reads bodies, and answers with the failure's code. */
async function readerOf(reader: BodyReader): Promise<{ url: string; close: () => void }> {
  const read = async (req: IncomingMessage) => {
    const res = answers.get(req)!;
    const found = await reader.read({ req, res }, { source: 'x', hasKey: true });
    res.end(found instanceof Failure ? `${found.code} ${found.message}` : 'whole');
  };
  const answers = new WeakMap<IncomingMessage, Parameters<BodyReader['read']>[0]['res']>();
  const http = createServer((req, res) => {
    answers.set(req, res);
    void read(req);
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url,
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

t.test('decision 61: a body that stalls or trickles is 408; one that keeps the rate arrives', async (t) => {
  const slowest = { bytes: 100, intervalMs: 1000 };
  const { url, close } = await readerOf(new BodyReader(new BodiesUnderWay(), slowest));
  t.teardown(close);
  const stalled = openSocket(url);
  t.match(await sees(stalled, post('', '{"a":', 5000), /\d{3} the/), /408 the body arrived too slowly/);
  const trickling = openSocket(url);
  const drip = setInterval(() => trickling.write(' '), 40);
  t.match(await sees(trickling, post('', '{"a":', 5000), /\d{3} the/), /408 the body arrived too slowly/);
  clearInterval(drip);
  const steady = openSocket(url);
  const pour = setInterval(() => steady.write(' '.repeat(100)), 20);
  t.match(await sees(steady, post('', '[]', 2 + 100 * 100), /whole|\d{3} the/), /whole/);
  clearInterval(pour);
  for (const socket of [stalled, trickling, steady]) socket.destroy();
});

t.test('decision 61: bodies in all may have so many bytes; a refused one gives them back', async (t) => {
  const { url, close } = await readerOf(new BodyReader(new BodiesUnderWay({ perSource: 9, bytes: 5000 })));
  t.teardown(close);
  for (const [bytes, answer] of [
    [6000, /503 too many request bodies/],
    [2000, /whole/],
    [6000, /503 too many request bodies/],
    [2000, /whole/],
  ] as const) {
    const socket = openSocket(url);
    await sees(socket, post('Expect: 100-continue\r\n', '', bytes), /100 Continue/);
    t.match(await sees(socket, '['.padEnd(bytes - 1) + ']', /whole|\d{3} too/), answer);
    socket.destroy();
  }
});
