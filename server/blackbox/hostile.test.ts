import { once } from 'node:events';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import t from 'tap';
import { DnsServer } from '../testing/dns-server.js';
import { getRaw, openSocket, readAnswer, sendRaw } from '../testing/raw-http.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

const written: string[] = [];
const sink = new Writable({
  write: (chunk: Buffer, _, done) => {
    written.push(chunk.toString());
    done();
  },
});
const names = await DnsServer.start({});
t.teardown(() => names.close());
const server = await runServer(t, {
  ...{ trustedProxies: ['127.0.0.1/32', '10.0.0.0/8', 'fd00::/8'], dnsServers: [names.address] },
  log: pino({ level: 'debug' }, sink),
});
const open = await server.another({ trustedProxies: [] });
let callers = 0;
const caller = (): string => `9.9.${++callers >> 8}.${callers & 255}`;
const forwarded = (): string => `X-Forwarded-For: ${caller()}\r\n`;

/** Returns the bytes of a GET that closes its connection. */
const getBytes = (target: string, headers = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`;

t.test('decision 14: X-Forwarded-For is read from the right, only past trusted hops', async (t) => {
  const callerAddress = async (header: string) =>
    (await server.get('/ip', { 'X-Forwarded-For': header })).text.trim();
  const cases = [
    ['6.6.6.6', '6.6.6.6'],
    ['6.6.6.6, 7.7.7.7', '7.7.7.7'],
    ['6.6.6.6, 7.7.7.7, 10.1.2.3', '7.7.7.7'],
    ['6.6.6.6,7.7.7.7,10.1.2.3,127.0.0.1', '7.7.7.7'],
    ['6.6.6.6, 10.1.2.3, 7.7.7.7', '7.7.7.7'],
    ['6.6.6.6, ::ffff:10.1.2.3', '6.6.6.6'],
    ['6.6.6.6, fd00::1', '6.6.6.6'],
    ['10.9.9.9, 10.1.2.3', '10.9.9.9'],
    ['6.6.6.6, , 10.1.2.3, ', '6.6.6.6'],
    ['6.6.6.6:1234', '6.6.6.6'],
    ['[2001:4860::8]:443', '2001:4860::8'],
    ['[2001:4860::8]', '2001:4860::8'],
    ['2001:4860:0:0::8', '2001:4860::8'],
    ['6.6.6.6, [fd00::1]:99, 10.0.0.1:80', '6.6.6.6'],
  ] as const;
  for (const [header, client] of cases) t.equal(await callerAddress(header), client, header);
});

t.test('decision 14: an entry that is not an address makes the socket address count', async (t) => {
  const garbage = [
    ...['garbage', '6.6.6.6, garbage', '6.6.6.6, 127.1', '6.6.6.6, 0x7f000001', '6.6.6.6, 010.0.0.1'],
    ...['unknown', '6.6.6.6, , x', ',', '6.6.6.6, fe80::1%eth0', '6.6.6.6 7.7.7.7', '6.6.6.6, 1.2.3.4:99:9'],
    ...[
      '6.6.6.6, [::1',
      '6.6.6.6, "7.7.7.7"',
      '6.6.6.6, for=7.7.7.7',
      'x'.repeat(9000),
      '6.6.6.6, 256.1.1.1',
    ],
  ];
  for (const header of garbage) {
    const { status, body } = await getRaw(server.url, '/ip', `X-Forwarded-For: ${header}\r\n`);
    t.match({ status, body }, { status: 200, body: /^127\.0\.0\.1\n$/ }, header.slice(0, 40));
  }
});

t.test('decision 14: without TRUSTED_PROXIES no forwarding header is trusted', async (t) => {
  for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'CF-Connecting-IP', 'True-Client-IP'])
    t.equal(
      (await open.get('/ip', { [name]: name === 'Forwarded' ? 'for=6.6.6.6' : '6.6.6.6' })).text,
      '127.0.0.1\n',
    );
  const left = [];
  for (const address of ['6.6.6.1', '6.6.6.2', '6.6.6.3'])
    left.push(
      (await open.get('/nothing', { 'X-Forwarded-For': address })).headers.get('x-ratelimit-remaining'),
    );
  t.strictSame(left, ['59', '58', '57'], 'no header opens a new window');
});

t.test('strange targets are answered without an internal error', async (t) => {
  const asked: readonly (readonly [string, number, number | undefined])[] = [
    ['/api/ip/%zz', 200, 400],
    ['/api/ip/%00', 200, 400],
    ['/api/ip/%', 200, 400],
    ['/api/ip/%E4%B8', 200, 400],
    ['/api/ip/%25%7a', 200, 400],
    ['/api/ip/8.8.8.8%00', 200, 400],
    ['/api/ip/8.8.8.8%2f24', 200, 400],
    ['/api/ip/8.8.8.8/24', 404, 404],
    ['/api/ip/8%2e8.8.8', 200, 0],
    ['/api/ip/..', 200, 400],
    ['/api/ip/8.8.8.8/../../user/me', 404, 404],
    ['/api/ip/8.8.8.8;x=1', 200, 400],
    ['/api/ip/8.8.8.8#frag', 200, 0],
    ['//api/ip/8.8.8.8', 404, 404],
    ['/api//ip/8.8.8.8', 404, 404],
    [`/api/ip/${'a'.repeat(8000)}`, 200, 400],
    [`/api/ip/${'%61'.repeat(2500)}`, 200, 400],
    [`/${'a/'.repeat(4000)}`, 404, 404],
    [`/json?${'lang=zh&'.repeat(1500)}`, 200, undefined],
    [`/api/ip/8.8.8.8?${'x'.repeat(8000)}=1`, 200, 0],
    ['/api/ip/8.8.8.8?lang=%zz&%zz=%&&&===&lang', 200, 0],
    ['/api/ip/8.8.8.8?__proto__[x]=1&constructor=2&hasOwnProperty=3&toString=4', 200, 0],
    ['/api/ip/8.8.8.8?', 200, 0],
    ['/api/ip/8.8.8.8?lang=en?lang=zh', 200, 0],
    ['/api/as-profile/99999999999999999999999999999999', 200, 400],
    ['/api/prefix-upstreams?prefix=8.8.8.0/99999999999999999999', 200, 400],
    ['http://other.example.com/api/ip/8.8.8.8', 200, 0],
    ['/.env', 404, 404],
    ['/metrics', 404, 404],
  ];
  for (const [target, status, code] of asked) {
    const answer = await getRaw(server.url, target, forwarded());
    t.equal(answer.status, status, target.slice(0, 60));
    t.match(answer.head, /\r\nX-Request-Id: [\w.-]+\r\n/i, target.slice(0, 60));
    if (code !== undefined)
      t.equal((JSON.parse(answer.body) as { code: number }).code, code, target.slice(0, 60));
  }
});

t.test(
  'HTTP/1.1 without a Host header is refused in JSON with all headers; HTTP/1.0 needs no Host',
  async (t) => {
    for (const target of ['/ip', '/api/ip/8.8.8.8', '/nothing', '/healthz']) {
      const bytes = `GET ${target} HTTP/1.1\r\nX-Request-Id: mine\r\nConnection: close\r\n\r\n`;
      const answer = readAnswer(await sendRaw(server.url, bytes));
      t.equal(answer.status, 400, target);
      t.strictSame(JSON.parse(answer.body), { code: 400, msg: 'missing Host header' });
      t.match(answer.head, /\r\nX-Request-Id: mine\r\n/i);
      t.match(answer.head, /\r\nX-Content-Type-Options: nosniff\r\n/i);
    }
    t.equal(readAnswer(await sendRaw(server.url, 'GET /ip HTTP/1.0\r\n\r\n')).status, 200);
  },
);

t.test('malformed or oversized request lines and headers are refused with their status', async (t) => {
  const asked: readonly (readonly [string, string, number])[] = [
    ['1 MB of one header', getBytes('/ip', `X-Large: ${'x'.repeat(1_000_000)}\r\n`), 431],
    ['1 MB of many headers', getBytes('/ip', 'X-Small: 12345678901234567890\r\n'.repeat(32_000)), 431],
    ['a target of 100 kB', getBytes(`/${'a'.repeat(100_000)}`), 431],
    [
      'both lengths',
      `POST /api/ip/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'two lengths',
      `POST /api/ip/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
      400,
    ],
    ['an invalid length', `POST /api/ip/batch HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n`, 400],
    ['an unknown coding', `POST /api/ip/batch HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n`, 400],
    [
      'chunks without a size',
      `POST /api/ip/batch HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
    ['a NUL in a header', getBytes('/ip', 'X-Nul: a\0b\r\n'), 400],
    ['a folded header', getBytes('/ip', 'X-Folded: a\r\n\0b\r\n'), 400],
    ['a space in a target', getBytes('/ip /x'), 400],
    ['an unknown method', 'HACK /ip HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['an unknown version', 'GET /ip HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    ['no HTTP', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ];
  for (const [title, bytes, status] of asked) {
    const answer = readAnswer(await sendRaw(server.url, bytes));
    // When the server closes early, the system may discard its answer.
    if (bytes.length > 100_000 && answer.head === '') continue;
    t.equal(answer.status, status, title);
    t.match(JSON.parse(answer.body), { code: status }, title);
    t.match(answer.head, /X-Request-Id: /, title);
  }
  t.equal((await getRaw(server.url, '/ip', forwarded())).status, 200, 'the server still answers');
});

t.test('HTTP/1.0, requests without a host, and pipelined ones are answered in turn', async (t) => {
  const old = readAnswer(await sendRaw(server.url, 'GET /ip HTTP/1.0\r\n\r\n'));
  t.strictSame([old.status, old.body], [200, '127.0.0.1\n']);
  const hostless = readAnswer(await sendRaw(server.url, 'GET /ip HTTP/1.1\r\nConnection: close\r\n\r\n'));
  t.equal(hostless.status, 400, 'RFC 9112 §3.2');
  const pipelined = ['6.6.6.1', '6.6.6.2', '6.6.6.3']
    .map((ip) => `GET /ip HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${ip}\r\n\r\n`)
    .join('');
  const answers = await sendRaw(server.url, pipelined + getBytes('/ip', 'X-Forwarded-For: 6.6.6.4\r\n'));
  t.strictSame(answers.match(/6\.6\.6\.\d(?=\n)/g), ['6.6.6.1', '6.6.6.2', '6.6.6.3', '6.6.6.4']);
});

t.test('an unexpected body is not awaited and is not parsed as a request', async (t) => {
  const smuggled = 'GET /ip HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 6.6.6.9\r\n\r\n';
  const bytes = `GET /ip HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 6.6.6.8\r\nContent-Length: ${smuggled.length}\r\n\r\n`;
  const answers = await sendRaw(
    server.url,
    bytes + smuggled + getBytes('/ip', 'X-Forwarded-For: 6.6.6.7\r\n'),
  );
  t.strictSame(answers.match(/6\.6\.6\.\d(?=\n)/g), ['6.6.6.8', '6.6.6.7']);
});

t.test('deep, huge or unusual JSON is refused or handled correctly', async (t) => {
  const headers = { Authorization: `Bearer ${await server.key('pro')}` };
  const bodies: readonly (readonly [string, number])[] = [
    [`{"ips":["8.8.8.8"],"x":${'['.repeat(120_000)}${']'.repeat(120_000)}}`, 400],
    [`{"ips":["8.8.8.8"],"n":1e999999,"m":${'9'.repeat(200_000)}}`, 0],
    ['{"ips":["127.1"],"ips":["8.8.8.8"]}', 0],
    ['{"__proto__":{"ips":["8.8.8.8"]}}', 400],
    ['{"ips":["8.8.8.8"],"__proto__":{"x":1}}', 400],
    ['{"ips":["8.8.8.8"],"constructor":{"prototype":{"y":1}}}', 0],
    ['{"ips":[{"toString":null},{"toJSON":1},{"hasOwnProperty":null}]}', 0],
    ['{"ips":["\\ud800","\\u0000",".","..",""]}', 0],
    [`{"ips":["${'a'.repeat(200_000)}"]}`, 0],
    [`{"ips":[${'9'.repeat(400)},-0,1e-400,9007199254740993]}`, 0],
  ];
  for (const [body, code] of bodies)
    t.match((await server.post('/api/ip/batch', body, headers)).body, { code }, body.slice(0, 40));
  t.notOk('x' in {} || 'y' in {});
});

t.test('numeric hosts are not contacted', async (t) => {
  const ips = ['2130706433', '0x7f000001', '127.1', '017700000001', '0'];
  t.match((await server.post('/api/ip/batch', { ips }, { 'X-Forwarded-For': caller() })).body, { code: 0 });
  for (const ip of ips)
    t.match((await server.get(`/api/ip/${ip}`, { 'X-Forwarded-For': caller() })).body, { code: 400 });
  t.strictSame(names.asked, []);
});

t.test('2,000 slow sockets do not delay other callers', async (t) => {
  const sockets = Array.from({ length: 2000 }, () => openSocket(server.url));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET /api/ip/8.8.8.8 HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  for (let round = 0; round < 20; round++) {
    for (const socket of sockets) if (socket.writable) socket.write('a');
    const { body } = await server.get(`/api/ip/${SMALL.google}`, { 'X-Forwarded-For': caller() });
    t.match(body, { code: 0, data: { ip: SMALL.google } });
  }
  for (const socket of sockets) socket.destroy();
});

t.test('keys are never logged, wherever they were sent', async (t) => {
  const key = await server.key('enterprise');
  const wrong = 'ipa_wrong0123456789abcdefghijklmnop';
  for (const secret of [key, wrong]) {
    for (const path of [
      ...[`/api/ip/8.8.8.8?token=${secret}`, `/api/ip/8.8.8.8?TOKEN=${secret}&token=x`, `/api/ip/${secret}`],
      ...[
        `/${secret}`,
        `/api/datasets/${secret}/info`,
        `/api/user/me?x=${secret}`,
        `/api/ip/x?t%6fken=${secret}`,
      ],
      ...[`/api/ip/${secret.replace('_', '%5f')}`, `/api/ip/%69${secret.slice(1)}%zz`],
    ])
      await server.get(path, { 'X-Forwarded-For': caller() });
    const headers = {
      Authorization: `Bearer ${secret}`,
      'X-API-Key': secret,
      Cookie: secret,
      Referer: secret,
    };
    await server.get('/api/user/me', { ...headers, 'X-Forwarded-For': caller() });
    await server.get('/ip', { 'X-Forwarded-For': secret, 'User-Agent': secret });
    await server.get('/healthz', { 'X-Forwarded-For': caller(), 'X-Request-Id': secret });
    await server.post('/api/ip/batch', { ips: [secret] }, { 'X-Forwarded-For': caller() });
    await server.post('/api/ip/batch', `{"${secret}`, { 'X-Forwarded-For': caller() });
  }
  const log = written.join('');
  t.ok(log.includes('"path":"/api/user/me"'), 'calls are logged');
  for (const secret of [key, wrong]) {
    const lines = log.split('\n').filter((line) => line.includes(secret.slice(4)));
    t.strictSame(lines, [], 'not even without its prefix');
  }
});

t.test('no request caused an internal error', (t) => {
  const faults = written
    .join('')
    .split('\n')
    .filter((line) => line.includes('"code":500'));
  t.strictSame(faults, []);
  t.end();
});
