import { createServer } from 'node:net';
import type { ServerHttp2Stream } from 'node:http2';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { deadlineIn } from '../deadline.js';
import { clientOf, listen, startUpstream, type Answer } from './testing/loopback-world.js';

const NAME = 'one.test-upstream.example.com';
const limits = () => ({ maxBytes: 10_000, deadline: deadlineIn(5000), maxRedirects: 4 });

t.test('connects to the resolved address and verifies the certificate for the name', async (t) => {
  const upstream = await startUpstream(t, (request, response) => {
    response.end(`${request.method} ${request.url} ${String(request.headers[':authority'])}`);
  });
  const client = await clientOf(t, { [NAME]: ['127.0.0.1'], 'other.example.com': ['127.0.0.1'] });
  const url = new URL(`https://${NAME}:${upstream.port}/a?b=c`);
  const reply = await client.request({ url, ...limits() });
  t.equal(reply.body.toString(), `GET /a?b=c ${NAME}:${upstream.port}`);
  t.match(reply, { status: 200, address: '127.0.0.1', httpVersion: '2', url });
  const wrong = { url: new URL(`https://other.example.com:${upstream.port}/`), ...limits() };
  await t.rejects(client.request(wrong), { name: 'UpstreamError', reason: 'unreachable' });
});

t.test('fifty concurrent requests share one HTTP/2 connection', async (t) => {
  const upstream = await startUpstream(t, (_, response) => setTimeout(() => response.end('x'), 50));
  const client = await clientOf(t, { [NAME]: ['127.0.0.1'] });
  const url = new URL(`https://${NAME}:${upstream.port}/dns-query`);
  const body = Buffer.from('question');
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => client.request({ url, method: 'POST', body, ...limits() })),
  );
  t.same(new Set(replies.map(({ body }) => body.toString())), new Set(['x']));
  t.equal(upstream.connectionCount(), 1);
});

t.test('reuses an idle connection and opens a new one after the server closed it', async (t) => {
  for (const kind of ['h1', 'h2', 'plain'] as const) {
    const upstream = await startUpstream(t, (_, response) => response.end('x'), { kind });
    const client = await clientOf(t, { [NAME]: ['127.0.0.1'] });
    const url = new URL(`${kind === 'plain' ? 'http' : 'https'}://${NAME}:${upstream.port}/`);
    const ask = () => client.request({ url, ...limits(), allowPlainHttp: true });
    t.equal((await ask()).httpVersion, kind === 'h2' ? '2' : '1.1');
    await ask();
    t.equal(upstream.connectionCount(), 1, kind);
    upstream.dropAll();
    t.equal((await ask()).status, 200);
    t.equal(upstream.connectionCount(), 2, kind);
  }
});

t.test('over HTTP/1.1 concurrent requests use one connection each', async (t) => {
  const upstream = await startUpstream(t, (_, response) => setTimeout(() => response.end('x'), 100), {
    kind: 'h1',
  });
  const client = await clientOf(t, { [NAME]: ['127.0.0.1'] });
  const url = new URL(`https://${NAME}:${upstream.port}/`);
  const warnings: Error[] = [];
  const note = (warning: Error): number => warnings.push(warning);
  process.on('warning', note);
  await Promise.all(Array.from({ length: 15 }, () => client.request({ url, ...limits() })));
  process.off('warning', note);
  t.equal(upstream.connectionCount(), 15);
  t.same(warnings, [], 'no leak warning from Node');
});

t.test('tries the next address when one refuses', async (t) => {
  const upstream = await startUpstream(t, (_, response) => response.end('x'), { host: '127.0.0.2' });
  const client = await clientOf(t, { [NAME]: ['127.0.0.1', '127.0.0.2'] });
  const reply = await client.request({ url: new URL(`https://${NAME}:${upstream.port}/`), ...limits() });
  t.equal(reply.address, '127.0.0.2');
});

t.test(
  'fallback addresses are used when the name servers have none, and the guard applies to them',
  async (t) => {
    const upstream = await startUpstream(t, (_, response) => response.end('x'));
    const url = new URL(`https://${NAME}:${upstream.port}/`);
    const client = await clientOf(t, {});
    t.equal(
      (await client.request({ url, ...limits(), fallbackAddresses: ['10.0.0.1', '127.0.0.1'] })).status,
      200,
    );
    await t.rejects(client.request({ url, ...limits(), fallbackAddresses: ['10.0.0.1'] }), {
      name: 'UpstreamError',
      reason: 'unreachable',
    });
    const strict = await clientOf(t, {}, { allowLoopback: false });
    await t.rejects(strict.request({ url, ...limits(), fallbackAddresses: ['127.0.0.1'] }), {
      name: 'UpstreamError',
      reason: 'unreachable',
    });
  },
);

t.test('follows redirects up to the limit and drops private headers for another origin', async (t) => {
  const seen: string[] = [];
  const upstream = await startUpstream(t, (request, response) => {
    const path = request.url!;
    seen.push(
      `${request.method} ${path} ${String(request.headers['x-signature'] ?? '-')} ${request.headers.accept}`,
    );
    if (path === '/last') response.end('here');
    else if (path === '/other')
      response
        .writeHead(302, { location: `https://two.test-upstream.example.com:${upstream.port}/last` })
        .end();
    else if (path === '/nowhere') response.writeHead(302).end('none');
    else response.writeHead(307, { location: `${path}x` }).end();
  });
  const client = await clientOf(t, { [NAME]: ['127.0.0.1'], 'two.test-upstream.example.com': ['127.0.0.1'] });
  const ask = (path: string, maxRedirects: number) =>
    client.request({
      url: new URL(`https://${NAME}:${upstream.port}${path}`),
      ...limits(),
      maxRedirects,
      headers: { 'X-Signature': 's', Accept: 'application/rdap+json' },
    });
  t.equal((await ask('/other', 0)).status, 302);
  t.equal((await ask('/nowhere', 4)).status, 302);
  seen.length = 0;
  const reply = await ask('/other', 1);
  t.equal(reply.url.href, `https://two.test-upstream.example.com:${upstream.port}/last`);
  t.equal(reply.body.toString(), 'here');
  t.strictSame(seen, ['GET /other s application/rdap+json', 'GET /last - application/rdap+json']);
  await t.rejects(ask('/loop', 4), { name: 'UpstreamError', reason: 'malformed' });
});

t.test('a redirect must satisfy the same rules as a first URL', async (t) => {
  const inner = await listen(t, createServer());
  let location = '';
  const upstream = await startUpstream(t, (_, response) => response.writeHead(302, { location }).end());
  const client = await clientOf(
    t,
    { [NAME]: ['127.0.0.1'], 'inner.example.com': ['10.0.0.1'], 'lost.example.com': [] },
    { denied: ['127.0.0.7'] },
  );
  const url = new URL(`https://${NAME}:${upstream.port}/`);
  const port = upstream.port;
  // prettier-ignore
  const notPublic = [
    `http://${NAME}:${port}/`, 'ftp://ftp.example.com/', 'file:///etc/hosts', 'data:,x', 'javascript:1',
    `https://user@${NAME}:${port}/`,
    `https://user:secret@${NAME}:${port}/`,
    `https://:x@${NAME}:${port}/`,
    `https://${NAME}:25/`,
    `https://${NAME}:22/`,
    `https://${NAME}:${inner.port}/`,
    `https://${NAME}:6379/`,
    'https://10.0.0.1/',
    'https://[fe80::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::]/',
    'https://0/',
    'https://169.254.169.254/latest/meta-data',
    'https://0xa9fea9fe/',
    'https://167772161/',
    'https://010.0.0.1.nip.io.local/',
    'https://[64:ff9b::a00:1]/', 'https://[2002:a00:1::]/', 'https://localhost/', 'https://localhost./',
    'https://inner.example.com/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://intranet/',
    'https://127.0.0.7/', '//10.0.0.1/', '\\\\10.0.0.1\\', 'https://10。0。0。1/', 'https://１０.0.0.1/',
  ];
  for (location of notPublic) {
    // HTTP headers are Latin-1.
    location = encodeURI(location).replace('%5B', '[').replace('%5D', ']').replaceAll('%5C', '/');
    await t.rejects(
      client.request({ url, ...limits() }),
      { name: 'UpstreamError', reason: 'not-public' },
      location,
    );
  }
  location = 'https://lost.example.com/';
  await t.rejects(client.request({ url, ...limits() }), { name: 'UpstreamError', reason: 'unreachable' });
  location = 'https://[bad/';
  await t.rejects(client.request({ url, ...limits() }), { name: 'UpstreamError', reason: 'malformed' });
  t.equal(inner.connectionCount(), 0);
});

t.test('a first URL must satisfy the rules', async (t) => {
  const client = await clientOf(t, { [NAME]: ['10.0.0.1', '192.168.0.1'] });
  for (const text of [
    `http://${NAME}/`,
    `https://a:b@${NAME}/`,
    `https://${NAME}:25/`,
    `https://${NAME}/`,
    'https://2130706433:99/',
    'https://[::1%25eth0]/',
  ].filter((text) => URL.canParse(text))) {
    await t.rejects(
      client.request({ url: new URL(text), ...limits() }),
      { name: 'UpstreamError', reason: 'not-public' },
      text,
    );
  }
  const strict = await clientOf(t, { [NAME]: ['127.0.0.1'] }, { allowLoopback: false });
  for (const host of [NAME, '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]']) {
    await t.rejects(
      strict.request({ url: new URL(`https://${host}/`), ...limits() }),
      { name: 'UpstreamError', reason: 'not-public' },
      host,
    );
  }
});

t.test('bodies and headers that are too long or compressed are rejected', async (t) => {
  const long = Buffer.alloc(10_001);
  const answers: Record<string, Answer> = {
    '/declared': (_, response) => response.writeHead(200, { 'content-length': long.length }).end(long),
    '/streamed': (_, response) => {
      const timer = setInterval(() => response.write(long), 5);
      response.on('close', () => {
        clearInterval(timer);
      });
    },
    '/gzip': (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
    '/header': (_, response) =>
      response.writeHead(200, { 'x-long': 'x'.repeat(14_000), 'x-longer': 'x'.repeat(14_000) }).end(),
    '/fits': (_, response) => response.end(long.subarray(1)),
  };
  for (const kind of ['h1', 'h2'] as const) {
    const upstream = await startUpstream(
      t,
      (request, response) => {
        answers[request.url!]!(request, response);
      },
      { kind },
    );
    const client = await clientOf(t, { [NAME]: ['127.0.0.1'] });
    for (const path of Object.keys(answers)) {
      const asked = client.request({ url: new URL(`https://${NAME}:${upstream.port}${path}`), ...limits() });
      if (path === '/fits') t.equal((await asked).body.length, 10_000);
      else await t.rejects(asked, { name: 'UpstreamError', reason: 'malformed' }, `${kind} ${path}`);
    }
  }
});

t.test('every call settles by its deadline, whatever the server does', async (t) => {
  const answers: Record<string, Answer> = {
    '/silence': () => undefined,
    '/drip': (_, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => {
        clearInterval(timer);
      });
    },
    '/redirects': (_, response) =>
      setTimeout(() => response.writeHead(302, { location: '/redirects' }).end(), 50),
  };
  for (const kind of ['h1', 'h2'] as const) {
    const upstream = await startUpstream(
      t,
      (request, response) => {
        answers[request.url!]!(request, response);
      },
      { kind },
    );
    const client = await clientOf(t, { [NAME]: ['127.0.0.1'] });
    for (const path of Object.keys(answers)) {
      const started = performance.now();
      const url = new URL(`https://${NAME}:${upstream.port}${path}`);
      const asked = client.request({ url, ...limits(), maxRedirects: 100, deadline: deadlineIn(300) });
      await t.rejects(asked, { name: 'UpstreamError', reason: 'timeout' }, `${kind} ${path}`);
      const tookMs = performance.now() - started;
      t.ok(tookMs > 250 && tookMs < 1500, `${kind} ${path}: ${tookMs} ms`);
    }
  }
  const mute = await listen(
    t,
    createServer(() => undefined),
  );
  const client = await clientOf(t, { [NAME]: ['127.0.0.1'] });
  const url = new URL(`https://${NAME}:${mute.port}/`);
  await t.rejects(
    client.request({ url, ...limits(), deadline: deadlineIn(200) }),
    { name: 'UpstreamError', reason: 'timeout' },
    'TLS handshake not answered',
  );
});

t.test('a server that disconnects or sends invalid HTTP causes only an UpstreamError', async (t) => {
  const streamOf = (response: unknown) => (response as { stream: ServerHttp2Stream }).stream;
  const h2: Record<string, Answer> = {
    reset: (_, response) => {
      streamOf(response).close(2);
    },
    goaway: (_, response) => {
      streamOf(response).session!.goaway(2);
    },
    end: (_, response) => {
      streamOf(response).session?.destroy();
    },
    'cut body': (_, response) => {
      response.writeHead(200, { 'content-length': 9 }).write('x');
      setTimeout(() => {
        streamOf(response).session?.destroy();
      }, 20);
    },
  };
  for (const [what, answer] of Object.entries(h2)) {
    const upstream = await startUpstream(t, answer);
    const client = await clientOf(t, { [NAME]: ['127.0.0.1'] });
    const url = new URL(`https://${NAME}:${upstream.port}/`);
    const asked = Array.from({ length: 5 }, () =>
      client.request({ url, ...limits(), deadline: deadlineIn(1000) }),
    );
    await Promise.all(asked.map((request) => t.rejects(request, { name: 'UpstreamError' }, what)));
  }
  const spoken = [
    '',
    'SSH-2.0-OpenSSH\r\n',
    'HTTP/1.1 99999 x\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx',
    '\x16\x03\x01',
  ];
  for (const words of spoken) {
    const server = await listen(
      t,
      createServer((socket) => {
        socket.once('data', () => socket.end(words));
      }),
    );
    const client = await clientOf(t, { [NAME]: ['127.0.0.1'] });
    for (const scheme of ['http', 'https']) {
      const url = new URL(`${scheme}://${NAME}:${server.port}/`);
      await t.rejects(
        client.request({ url, ...limits(), allowPlainHttp: true }),
        { name: 'UpstreamError' },
        `${scheme} ${words}`,
      );
    }
  }
});

t.test('closing the client ends running requests immediately', async (t) => {
  const upstream = await startUpstream(t, () => undefined);
  const mute = await listen(
    t,
    createServer(() => undefined),
  );
  const client = await clientOf(t, { [NAME]: ['127.0.0.1'] });
  const asked = [upstream.port, upstream.port, mute.port].map((port) =>
    client.request({ url: new URL(`https://${NAME}:${port}/`), ...limits() }),
  );
  const refused = Promise.all(
    asked.map((request) => t.rejects(request, { name: 'UpstreamError', reason: 'unreachable' })),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  const started = performance.now();
  await client.close();
  await refused;
  t.ok(performance.now() - started < 1000);
  await t.rejects(client.request({ url: new URL(`https://${NAME}:${upstream.port}/`), ...limits() }), {
    name: 'UpstreamError',
    reason: 'unreachable',
  });
});
