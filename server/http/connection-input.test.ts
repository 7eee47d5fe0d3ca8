import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { MOST_UNANSWERED } from './connection-input.js';
import type { RefusedFor } from './connection-limits.js';
import { listen, newHttpServer, type ListenerOptions } from './listener.js';

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

async function serve(
  t: Test,
  answer: RequestListener,
  options: ListenerOptions = {},
): Promise<{ server: Server; open: () => Socket }> {
  const server = newHttpServer(answer, options);
  const url = await listen(server, 0, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = (): Socket => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
    return socket;
  };
  return { server, open };
}

/** Answers in a later turn. `isNodes` returns whether Node's own listener reads the connection of a client. */
async function serveLater(
  t: Test,
  options: ListenerOptions = {},
): Promise<{ server: Server; open: () => Socket; isNodes: (client: Socket) => boolean }> {
  const served = await serve(t, (req, res) => setImmediate(() => res.end(`<${req.url!}>`)), options);
  const tests = new Map<number, () => boolean>();
  served.server.prependListener('connection', (socket: Socket) => {
    let first: unknown;
    socket.on('newListener', (event, listener) => {
      if (event === 'data') first ??= listener;
    });
    tests.set(socket.remotePort!, () => socket.listeners('data')[0] === first);
  });
  return { ...served, isNodes: ({ localPort }) => tests.get(localPort!)!() };
}

/** Reads until the received text matches. */
async function until(socket: Socket, expected: RegExp): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  while (!expected.test(text)) await once(socket, 'data');
  return text;
}

const bodiesIn = (text: string): string[] => [...text.matchAll(/<(.*?)>/g)].map(([, body]) => body!);

t.test('decision 58: pipelined requests are answered one after another, in order', async (t) => {
  let running = 0;
  let most = 0;
  const { open } = await serve(t, (req, res) => {
    most = Math.max(most, ++running);
    setTimeout(() => {
      running--;
      res.end(`<${req.url!}>`);
    }, 2);
  });
  const socket = open();
  const paths = Array.from({ length: MOST_UNANSWERED }, (_, i) => `/${i}`);
  socket.write(paths.map(GET).join(''));
  t.same(bodiesIn(await until(socket, /<\/15>/)), paths);
  t.equal(most, 1);
  socket.write(GET('/again'));
  await until(socket, /<\/again>/);
  t.pass('the connection remains');
});

t.test(
  'decision 58: a connection with more unanswered requests gets 429 after its running answer',
  async (t) => {
    const refused: RefusedFor[] = [];
    const answered: string[] = [];
    let finish = (): void => undefined;
    const { server, open } = await serve(
      t,
      (req, res) => {
        answered.push(req.url!);
        finish = () => res.end('<first>');
      },
      { onRefused: (reason) => refused.push(reason) },
    );
    const socket = open();
    const first = once(server, 'request');
    // 64 kB, which Node reads in one piece.
    socket.write(GET('/').repeat(2600));
    await first;
    socket.write(GET('/later'));
    finish();
    const text = await until(socket, /\}$/);
    t.match(text, /<first>HTTP\/1\.1 429 Too Many Requests\r\n/);
    t.match(text, /Connection: close\r\n.*\{"code":429,"msg":"more than 16 unanswered requests/s);
    t.same(answered, ['/']);
    t.same(refused, ['pipelining'], 'reported once');
    if (!socket.destroyed) await once(socket, 'close');
  },
);

t.test(
  'Node parses the input by itself, except of connections with pipelining or a chunked body',
  async (t) => {
    const { open, isNodes } = await serveLater(t);
    const [plain, pipelining, chunked] = [open(), open(), open()];
    plain.write(`POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx`);
    await until(plain, /<\/1>/);
    plain.write(GET('/2'));
    await until(plain, /<\/2>/);
    t.ok(isNodes(plain));
    pipelining.write(GET('/1') + GET('/2'));
    await until(pipelining, /<\/2>/);
    t.notOk(isNodes(pipelining));
    chunked.write(`POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
    await until(chunked, /<\/1>/);
    t.notOk(isNodes(chunked));
  },
);

t.test('decision 58: after one excess, all open and new connections are parsed in pieces', async (t) => {
  const { server, open, isNodes } = await serveLater(t);
  const [first, second] = [open(), open()];
  second.write(GET('/1'));
  await until(second, /<\/1>/);
  t.ok(isNodes(second));
  // 64 kB, which Node reads in one chunk.
  const many = GET('/').repeat(2600);
  first.write(many);
  await until(first, /"code":429/);
  t.notOk(isNodes(second));
  for (const next of [second, open()]) {
    let parsed = 0;
    const count = (): void => {
      parsed++;
    };
    server.on('request', count);
    next.write(many);
    await until(next, /"code":429/);
    server.off('request', count);
    t.ok(parsed > MOST_UNANSWERED && parsed < 100, `${parsed} requests were parsed`);
  }
});

t.test('after a chunked body that was refused, all connections are parsed in pieces', async (t) => {
  const { open, isNodes } = await serveLater(t);
  const [other, refused] = [open(), open()];
  other.write(GET('/1'));
  await until(other, /<\/1>/);
  t.ok(isNodes(other));
  // The answer does not wait for the body.
  refused.write(`POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`);
  await until(refused, /<\/2>/);
  other.write(GET('/3'));
  await until(other, /<\/3>/);
  t.notOk(isNodes(other));
});

t.test('connections that are opened after `alertMs` are parsed by Node again', async (t) => {
  const { open, isNodes } = await serveLater(t, { alertMs: 0 });
  const attacker = open();
  attacker.write(GET('/').repeat(MOST_UNANSWERED + 1));
  await until(attacker, /"code":429/);
  const next = open();
  next.write(GET('/1'));
  await until(next, /<\/1>/);
  t.ok(isNodes(next));
});

t.test('requests behind answers that are not read are answered once those are read', async (t) => {
  const { server, open } = await serve(t, (req, res) => {
    if (req.url === '/large') res.end(Buffer.alloc(20_000_000, 'x'));
    else res.end(`<${req.url!}>`);
  });
  const socket = open();
  socket.pause();
  const asked = once(server, 'request');
  socket.write(GET('/large'));
  await asked;
  // More than one piece, so that Node pauses its parser between two of them.
  const padded = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Pad: ${'p'.repeat(900)}\r\n\r\n`;
  socket.write(['/1', '/2', '/3', '/4'].map(padded).join(''));
  await once(server, 'request');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text = (text + chunk.toString('latin1')).slice(-5000)));
  socket.resume();
  while (!text.includes('</4>')) {
    t.notMatch(text, /HTTP\/1\.1 400/);
    await once(socket, 'data');
  }
  t.same(bodiesIn(text), ['/1', '/2', '/3', '/4']);
});

t.test('bytes behind an upgrade reach its reader whole and in order', async (t) => {
  const sent = Array.from({ length: 1000 }, (_, i) => `${i};`).join('');
  let received = '';
  const webSockets = {
    path: '/ws',
    accept: (_: unknown, socket: Socket, head: Buffer) => {
      socket.unshift(head);
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.on('error', () => undefined);
    },
  };
  const { open } = await serve(t, (_, res) => res.end(), { webSockets });
  const socket = open();
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${sent.slice(0, 3000)}`,
  );
  while (received.length < 3000) await new Promise((resolve) => setTimeout(resolve, 5));
  socket.write(sent.slice(3000));
  while (received.length < sent.length) await new Promise((resolve) => setTimeout(resolve, 5));
  t.equal(received, sent);
});

t.test('large bodies arrive whole, also behind a running answer', async (t) => {
  const { open } = await serve(t, (req, res) => {
    let bytes = 0;
    req.on('data', (chunk: Buffer) => (bytes += chunk.length));
    req.on('end', () => setTimeout(() => res.end(`<${bytes}>`), 5));
  });
  const socket = open();
  const post = (bytes: number): string =>
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`;
  const sizes = [1, 500_000, 3, 1_000_000, 70_000];
  socket.write(sizes.map(post).join(''));
  t.same(bodiesIn(await until(socket, /<70000>/)), sizes.map(String));
});

t.test('decision 60: CONNECT and Upgrade behind an unanswered request end the connection only', async (t) => {
  const answered: string[] = [];
  const { open } = await serve(
    t,
    (req, res) => {
      answered.push(req.url!);
      if (req.url !== '/slow') res.end(`<${req.url!}>`);
    },
    { webSockets: { path: '/ws', accept: () => answered.push('a WebSocket') } },
  );
  const upgrade = (path: string, protocol: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
  const seconds = [
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    upgrade('/', 'h2c'),
    upgrade('/ws', 'websocket'),
  ];
  for (const second of seconds) {
    const socket = open();
    socket.resume();
    socket.write(GET('/slow') + second);
    await once(socket, 'close');
  }
  const socket = open();
  socket.write(GET('/here'));
  t.match(await until(socket, /<\/here>/), /^HTTP\/1\.1 200 /);
  t.same(answered, ['/slow', '/slow', '/slow', '/here']);
});

t.test('malformed input is answered after the requests before it', async (t) => {
  const { open } = await serve(t, (req, res) => setImmediate(() => res.end(`<${req.url!}>`)));
  const socket = open();
  socket.write(`${GET('/1')}${GET('/2')}malformed\r\n\r\n`);
  t.match(
    await until(socket, /\{"code":400.*\}$/),
    /^HTTP\/1\.1 200 .*<\/1>HTTP\/1\.1 200 .*<\/2>HTTP\/1\.1 400 .*Connection: close/s,
  );
});

t.test('a malformed body is answered at once, also behind an answered request', async (t) => {
  const { open } = await serve(t, (req, res) => {
    req.resume().on('end', () => setImmediate(() => res.end(`<${req.url!}>`)));
  });
  const malformed = 'POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nmalformed\r\n';
  const alone = open();
  alone.write(malformed);
  t.match(await until(alone, /\{"code":400.*\}$/), /^HTTP\/1\.1 400 .*Connection: close/s);
  const behind = open();
  behind.write(GET('/1') + malformed);
  t.match(await until(behind, /\{"code":400.*\}$/), /^HTTP\/1\.1 200 .*<\/1>HTTP\/1\.1 400 /s);
});

t.test('nothing is written into an answer that has begun', async (t) => {
  const { open } = await serve(t, (_, res) => {
    res.writeHead(200, { 'Content-Length': '100' });
    res.write('<begun>');
  });
  const socket = open();
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  while (!text.includes('<begun>')) await once(socket, 'data');
  socket.write('malformed\r\n');
  await once(socket, 'close');
  t.match(text, /^HTTP\/1\.1 200 .*<begun>$/s);
});

t.test('requests behind an answer with "Connection: close" are not answered', async (t) => {
  const answered: string[] = [];
  const { open } = await serve(t, (req, res) => {
    answered.push(req.url!);
    res.setHeader('Connection', 'close');
    setImmediate(() => res.end(`<${req.url!}>`));
  });
  const socket = open();
  socket.resume();
  socket.write(GET('/1') + GET('/2'));
  await once(socket, 'close');
  t.same(answered, ['/1']);
});

t.test('a body of tiny chunks is parsed in many turns of the event loop, and arrives whole', async (t) => {
  let inTurn = 0;
  let most = 0;
  const { open } = await serve(t, (req, res) => {
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      most = Math.max(most, ++inTurn);
    });
    req.on('end', () => res.end(`<${bytes}>`));
  });
  const socket = open();
  let isDone = false;
  const turn = (): void => {
    inTurn = 0;
    if (!isDone) setImmediate(turn);
  };
  turn();
  const chunks = '1\r\nx\r\n'.repeat(100_000);
  socket.write(
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n${GET('/2')}`,
  );
  t.same(bodiesIn(await until(socket, /<0>/)), ['100000', '0']);
  isDone = true;
  // Without turns all input that has arrived is parsed at once: some 30,000 chunks.
  t.ok(most < 20_000, `${most} chunks in a turn`);
});
