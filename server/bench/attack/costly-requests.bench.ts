import { withServer, type AttackedServer } from './attacked-server.bench.js';
import { cpuPerAnswer, joined, type Family, type Findings } from './finding.bench.js';

/** CPU time of a request before it is refused or answered. */
const MOST_MS = 2;

/** Requests that are meant to be costly. A few addresses send them, each after the answer to the one before. */
export const costlyRequests: Family = ({ isQuick }) =>
  withServer({}, async (server) => {
    const found: Findings[] = [];
    for (const [i, [what, request]] of Object.entries(REQUESTS).entries()) {
      found.push(
        await cpuPerAnswer(`more: ${what}`, server, {
          attack: {
            ...{ source: 2000, net: 100 + i, connections: 32, opening: requestFor(server, request) },
            ...{ copies: isQuick ? 5 : 50, waits: true, limitMs: isQuick ? 3000 : 10_000 },
          },
          mostMs: MOST_MS,
        }),
      );
    }
    return joined(found);
  });

type Request = string | ((key: string) => string);

function requestFor(server: AttackedServer, request: Request): string {
  return typeof request === 'string' ? request : request(server.key('enterprise'));
}

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

/** All headers together have at most 16 KiB. */
const FULL = 15_000;

const REQUESTS: Readonly<Record<string, Request>> = {
  '15 kB of cookies': get('/ip', `Cookie: ${'a=b; '.repeat(FULL / 5)}\r\n`),
  '3,000 header lines': get('/ip', 'a:\r\n'.repeat(3000)),
  'Accept-Encoding of 15 kB': get('/openapi.json', `Accept-Encoding: ${'x;q=0.1,'.repeat(FULL / 8)}br\r\n`),
  'Accept-Encoding of 15 kB spaces': get('/openapi.json', `Accept-Encoding: x${' '.repeat(FULL)}y\r\n`),
  'Accept-Language of 15 kB': get('/ip', `Accept-Language: ${'aa-bb;q=0.1,'.repeat(FULL / 12)}\r\n`),
  'Authorization of 15 kB': get('/api/ip/8.8.8.8', `Authorization: bearer ${' '.repeat(FULL)}\t\r\n`),
  'X-Request-Id of 15 kB': get('/ip', `X-Request-Id: ${'-'.repeat(FULL)}!\r\n`),
  'a path of 15 kB of slashes': get('/'.repeat(FULL)),
  'a path of 15 kB of %': get(`/api/ip/${'%25'.repeat(FULL / 3)}`),
  'a target of 15 kB of labels': get(`/api/ip/${'a.'.repeat(FULL / 2)}`),
  'a target of 15 kB of colons': get(`/api/ip/${':'.repeat(FULL)}`),
  'a target of 15 kB of punycode': get(`/api/dns/${'xn--'.repeat(FULL / 4)}`),
  'a query of 4,000 parameters': get(`/api/ip/8.8.8.8?${'a=&'.repeat(4000)}`),
  'an IDN of 5 kB': get(`/api/whois/${'%C3%BC'.repeat(FULL / 6)}`),
  'If-None-Match of 15 kB, download': (key) =>
    get(
      '/api/datasets/mmdb',
      `Authorization: Bearer ${key}\r\nIf-None-Match: ${'"a",'.repeat(FULL / 4)}W/"\r\n`,
    ),
  'a Range of 2,000 ranges, download': (key) =>
    get('/api/datasets/mmdb', `Authorization: Bearer ${key}\r\nRange: bytes=${'0-0,'.repeat(2000)}1-1\r\n`),
  'a batch with 20,000 keys': post(
    `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()},"ips":[]}`,
  ),
  'a batch with __proto__': post('{"__proto__":{"ips":["8.8.8.8"]},"constructor":{"prototype":{"x":1}}}'),
  'a batch of 80,000 items': post(`{"ips":[${'1,'.repeat(80_000)}1]}`),
  'a batch of 40,000 nested arrays': post(`{"ips":[${'[[]],'.repeat(40_000)}1]}`),
  'a number of 250,000 digits': post(`{"ips":[${'9'.repeat(250_000)}]}`),
};

function post(body: string): string {
  return `POST /api/ip/batch HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
