import t from 'tap';
import { openSocket, readAnswer, sendRaw } from '../testing/raw-http.js';
import { runServer } from '../testing/running-server.js';

const server = await runServer(t, { trustedProxies: ['127.0.0.1/32'] });
const FORWARDED = 'X-Forwarded-For: 9.9.9.9\r\n';

const ask = async (lines: number, more = ''): Promise<ReturnType<typeof readAnswer>> =>
  readAnswer(
    await sendRaw(
      server.url,
      `GET /ip HTTP/1.1\r\nHost: a\r\n${'a:b\r\n'.repeat(lines)}${FORWARDED}${more}Connection: close\r\n\r\n`,
    ),
  );

t.test(
  'decision 60: header lines of a caller never hide the X-Forwarded-For of a trusted proxy',
  async (t) => {
    t.equal((await ask(0)).body, '9.9.9.9\n');
    t.equal((await ask(97)).body, '9.9.9.9\n', '100 lines are accepted');
    for (const lines of [98, 99, 127, 128, 500, 997, 998, 999, 1000, 1200, 2500]) {
      const { status, head, body } = await ask(lines);
      t.equal(status, 431, `${lines} lines`);
      t.match(head, /Connection: close/);
      t.match(JSON.parse(body), { code: 431 });
    }
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    t.equal((await ask(1000, upgrade)).status, 431);
  },
);

t.test('RFC 9112 §3.2: a request with two Host headers is refused with all headers', async (t) => {
  for (const second of ['Host: b', 'host: a', 'HOST:']) {
    const bytes = `GET /ip HTTP/1.1\r\nHost: a\r\n${second}\r\n${FORWARDED}Connection: close\r\n\r\n`;
    const { status, head, body } = readAnswer(await sendRaw(server.url, bytes));
    t.equal(status, 400, second);
    t.strictSame(JSON.parse(body), { code: 400, msg: 'more than one Host header' });
    t.match(head, /X-RateLimit-Reset: \d+/);
    t.match(head, /X-Request-Id: /);
  }
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  const bytes = `GET /api/nodes/connect HTTP/1.1\r\nHost: a\r\nHost: b\r\n${upgrade}`;
  t.equal(readAnswer(await sendRaw(server.url, bytes)).status, 400);
});

t.test(
  'RFC 9112 §3.2.2: a target may be a whole http URL; others that are no path are refused',
  async (t) => {
    const answerTo = async (target: string): Promise<ReturnType<typeof readAnswer>> =>
      readAnswer(
        await sendRaw(
          server.url,
          `GET ${target} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 9.9.9.11\r\nConnection: close\r\n\r\n`,
        ),
      );
    for (const whole of ['http://example.com/ip', 'HTTPS://a:1/ip', 'http://[::1]/ip?x=y'])
      t.equal((await answerTo(whole)).body, '9.9.9.11\n', whole);
    for (const wrong of ['http://[::bad/ip', 'http://a:99999/ip', 'foo://a/ip', 'foo://[/']) {
      const { status, head, body } = await answerTo(wrong);
      t.equal(status, 400, wrong);
      t.strictSame(JSON.parse(body), { code: 400, msg: 'invalid request target: expected a path' });
      t.match(head, /X-Request-Id: /);
    }
  },
);

t.test('CONNECT is answered 405 in JSON, with all headers, and the connection ends', async (t) => {
  for (const target of ['example.com:443', '127.0.0.1:80']) {
    const bytes = `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${FORWARDED}\r\n`;
    const { status, head, body } = readAnswer(await sendRaw(server.url, bytes));
    t.equal(status, 405);
    t.match(JSON.parse(body), { code: 405, msg: /CONNECT/ });
    t.match(head, /Connection: close/i);
    t.match(head, /Allow: GET, HEAD, POST, OPTIONS/);
    t.match(head, /X-RateLimit-Remaining: \d+/);
  }
});

t.test('decision 58: of a flood of pipelined requests one per connection is answered', async (t) => {
  const sockets = Array.from({ length: 50 }, () => openSocket(server.url));
  const answers = sockets.map(
    (socket) =>
      new Promise<string>((resolve) => {
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk.toString('latin1');
          if (text.includes('unanswered')) resolve(text);
        });
      }),
  );
  const request = `GET /ip HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 9.9.9.10\r\n\r\n`;
  for (const socket of sockets) socket.write(request.repeat(1200));
  const texts = await Promise.all(answers);
  for (const text of texts) t.equal(text.match(/HTTP\/1\.1 /g)?.length, 2);
  for (const socket of sockets) socket.destroy();
  t.equal((await server.get('/healthz', { 'X-Forwarded-For': '9.9.9.11' })).status, 200);
  const metrics = await server.running.metrics.registry.metrics();
  t.match(metrics, /^ipatlas_connections_refused_total\{reason="pipelining"\} 50$/m);
});
