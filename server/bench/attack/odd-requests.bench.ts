import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAnswer, sendRaw } from '../../testing/raw-http.js';
import { newRedisForTest } from '../../../pipeline/testing/redis-server.js';
import { newApiKey } from '../../ledger/accounts/api-key.js';
import { withServer, type AttackedServer } from './attacked-server.bench.js';
import { barOnly, joined, type Family, type Findings } from './finding.bench.js';

/** Until the log is written. */
const LOG_MS = 1500;

/** Findings 7 and 12: single requests out of the ordinary. */
export const oddRequests: Family = async () => {
  const alone = await withServer({ downloadBallast: 50_000 }, async (server) =>
    joined([
      await keyInLog(server),
      await status(server, '12: two Host headers', 'GET /ip HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', [400]),
      await status(
        server,
        '12: CONNECT',
        'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n',
        [400, 404, 405, 501],
      ),
      await corruptBodies(server),
      await abortedDownloads(server),
    ]),
  );
  return joined([alone, await withoutRedis()]);
};

async function keyInLog(server: AttackedServer): Promise<Findings> {
  const key = server.key('free');
  const secret = key.slice(4);
  const spellings = [
    `/api/ip/${key}`,
    `/api/ip/%2569pa_${secret}`,
    `/api/ip/ipa%255f${secret}`,
    `/api/ip/%25252569pa_${secret}`,
    `/api/ip/i%2570a_${secret}?token=${key}`,
    `/${key}`,
    `/api/ip/8.8.8.8;ipa%5F${secret}`,
  ];
  for (const path of spellings) await ask(server, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await sleep(LOG_MS);
  const leaks = server.log.split('\n').filter((line) => line.includes(secret)).length;
  return barOnly(`12: a key in a path, ${spellings.length} spellings`, 'in no line of the log', {
    measured: `in ${leaks} lines`,
    isMet: leaks === 0,
  });
}

async function corruptBodies(server: AttackedServer): Promise<Findings> {
  const found: Findings[] = [];
  for (const coding of ['gzip', 'deflate', 'br', 'x-unknown']) {
    const request = `POST /api/ip/batch HTTP/1.1\r\nHost: a\r\nContent-Encoding: ${coding}\r\nContent-Length: 9\r\n\r\nnot zipped`;
    found.push(await status(server, `7: a corrupt ${coding} body`, request.slice(0, -1), [400, 413, 415]));
  }
  await sleep(LOG_MS);
  const errors = server.log.split('\n').filter((line) => line.includes('internal error')).length;
  return joined([
    ...found,
    barOnly('7: corrupt bodies', 'no stack in the log', {
      measured: `${errors} stacks`,
      isMet: errors === 0,
    }),
  ]);
}

/** Aborts downloads after their first bytes. The limit is 5 an hour. */
async function abortedDownloads(server: AttackedServer): Promise<Findings> {
  const key = server.key('enterprise');
  const codes: number[] = [];
  for (let i = 0; i < 7; i++) codes.push(await abortDownload(server, key));
  return barOnly('12: 7 downloads aborted after their first bytes', '5 x 206, then 429', {
    measured: codes.join(' '),
    isMet: codes.join() === '206,206,206,206,206,429,429',
  });
}

/** Requests all but the first byte, and breaks off at the first piece. Returns the status, or the code of a failure. */
function abortDownload(server: AttackedServer, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, range: 'bytes=1-' };
  return new Promise((resolve, reject) => {
    const request = get(`${server.url}/api/datasets/mmdb`, { headers, agent: false }, (response) => {
      response.once('data', (chunk: Buffer) => {
        const isFailure = response.headers['content-type']?.includes('json') === true;
        response.destroy();
        const code = isFailure
          ? (JSON.parse(chunk.toString()) as { code: number }).code
          : response.statusCode!;
        // Until the server has noticed.
        setTimeout(resolve, 200, code);
      });
    });
    request.once('error', reject);
  });
}

/** Calls with keys that no process has checked before Redis ended. */
async function withoutRedis(): Promise<Findings> {
  const ends: (() => unknown)[] = [];
  const redis = await newRedisForTest({ teardown: (end) => ends.push(end) });
  try {
    return await withServer({ env: { REDIS_URL: redis.url } }, async (server) => {
      ends.splice(0).forEach((end) => end());
      const counts: Record<string, number> = {};
      for (let i = 0; i < 80; i++) {
        const headers = { authorization: `Bearer ${newApiKey()}` };
        const answer = await fetch(`${server.url}/api/ip/8.8.8.8`, { headers });
        const { code } = (await answer.json()) as { code: number };
        counts[code] = (counts[code] ?? 0) + 1;
      }
      return barOnly('12: 80 calls with keys without Redis', '503 each', {
        measured: Object.entries(counts)
          .map(([code, count]) => `${count} x ${code}`)
          .join(', '),
        isMet: counts[503] === 80,
      });
    });
  } finally {
    ends.forEach((end) => end());
  }
}

async function status(
  server: AttackedServer,
  what: string,
  request: string,
  allowed: readonly number[],
): Promise<Findings> {
  const got = await ask(server, request);
  return barOnly(what, allowed.join(' or '), {
    measured: Number.isNaN(got) || got === 0 ? 'no answer' : String(got),
    isMet: allowed.includes(got),
  });
}

/** Returns the status of the answer, or the code of a failure that is sent with 200. */
async function ask(server: AttackedServer, request: string): Promise<number> {
  const [first = '', ...rest] = request.split('\r\n');
  const text = await sendRaw(server.url, [first, 'Connection: close', ...rest].join('\r\n'));
  const { status, body } = readAnswer(text);
  return status === 200 && body.startsWith('{') ? (JSON.parse(body) as { code: number }).code : status;
}
