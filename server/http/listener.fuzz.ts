import { once } from 'node:events';
import { inserting } from '../../pipeline/fuzz/mutate.js';
import { Random, seedOf } from '../../pipeline/fuzz/random.js';
import type { FuzzTarget, TargetLifetime } from '../../pipeline/fuzz/target.js';
import { DnsServer } from '../testing/dns-server.js';
import { openSocket } from '../testing/raw-http.js';
import { runServer } from '../testing/running-server.js';

const SOURCE = '203.0.113.1';
const BATCH = JSON.stringify({ ips: ['8.8.8.8', '2001:4860:4860::8888', '1.1.1.1'] });

/** The requests to damage. Their source address becomes another one for each input, so that no limit is reached. */
const REQUESTS: readonly string[] = [
  ...[
    '/',
    '/ip',
    '/json',
    '/api/ip',
    '/api/ip/8.8.8.8',
    '/api/ip/2001:4860:4860::8888',
    '/healthz',
    '/readyz',
  ],
  ...[
    '/api/as-topo/15169',
    '/api/asn/15169',
    '/openapi.json',
    '/api/ip/example.com',
    '/api/ip/%38.8.8.8?lang=zh-CN',
  ],
].map((path) => request(`GET ${path}`));

const MORE: readonly string[] = [
  request(
    'POST /api/ip/batch',
    `Content-Type: application/json\r\nContent-Length: ${BATCH.length}\r\n`,
    BATCH,
  ),
  request(
    'POST /api/batch',
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
    chunked(BATCH),
  ),
  request('HEAD /api/ip/8.8.8.8', 'If-None-Match: "x"\r\nRange: bytes=0-1\r\nAccept-Encoding: br\r\n'),
  request('OPTIONS *', 'Expect: 100-continue\r\nUpgrade: h2c\r\n'),
  request('GET /ip') + request('GET /json') + request('GET /api/ip/8.8.8.8'),
];

const PIECES = [
  ...[
    '\r\n',
    '\r\n\r\n',
    '\n',
    '\0',
    ' ',
    ':',
    '/',
    '//',
    '%00',
    '%2f',
    '%',
    '?',
    '#',
    '..',
    'HTTP/1.0',
    'HTTP/2.0',
  ],
  ...[
    'Content-Length: 5\r\n',
    'Content-Length: -1\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Host: b\r\n',
    'Expect: x\r\n',
  ],
  ...[
    'Authorization: Bearer x\r\n',
    'X-API-Key: x\r\n',
    'Connection: upgrade\r\n',
    'ffffffffffffffff\r\n',
    'CONNECT ',
  ],
];

/** Sends damaged requests to a whole server with its own Redis. No answer has status 500, and the server keeps running. */
export async function openTarget(t: TargetLifetime): Promise<FuzzTarget> {
  const dns = await DnsServer.start({});
  t.teardown(() => dns.close());
  const settings = { trustedProxies: ['127.0.0.1'], dnsServers: [dns.address] };
  const { url } = await runServer(t, settings);
  return {
    seeds: [...REQUESTS, ...MORE].map((text, i) => ({ name: String(i), bytes: Buffer.from(text) })),
    mutators: [inserting(PIECES)],
    run: async ({ bytes }) => {
      const answer = await exchange(url, fromAnotherSource(bytes));
      if (/^HTTP\/1\.1 500 /m.test(answer)) throw new Error(answer.slice(0, 2_000));
    },
  };
}

function request(line: string, headers = '', body = ''): string {
  return `${line} HTTP/1.1\r\nHost: a.example\r\nX-Forwarded-For: ${SOURCE}\r\n${headers}\r\n${body}`;
}

function chunked(body: string): string {
  return `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

function fromAnotherSource(bytes: Buffer): string {
  const random = new Random(seedOf(bytes.length, bytes.toString('latin1'), 0));
  const source = [11 + random.below(80), random.below(256), random.below(256), random.below(256)].join('.');
  return bytes.toString('latin1').replaceAll(SOURCE, source);
}

/** Sends bytes, ends the sending side, and reads until the server closes. */
async function exchange(url: string, bytes: string): Promise<string> {
  const socket = openSocket(url);
  let answer = '';
  socket.on('data', (chunk) => (answer = (answer + chunk.toString('latin1')).slice(0, 1_000_000)));
  socket.end(bytes, 'latin1');
  await once(socket, 'close');
  return answer;
}
