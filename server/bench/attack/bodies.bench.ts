import { gzipSync } from 'node:zlib';
import { newApiKey } from '../../ledger/accounts/api-key.js';
import { withServer } from './attacked-server.bench.js';
import {
  cpuPerAnswer,
  joined,
  processesText,
  underAttack,
  type Family,
  type Findings,
} from './finding.bench.js';
import { launchAttack } from './launch-attack.bench.js';

const BODY_BYTES = 262_144;
/** A POST whose last byte never arrives. */
const STALLED = post(BODY_BYTES, 'x'.repeat(BODY_BYTES - 1));

/** Finding 2: bodies of callers without a key, and the price of refusing a caller over its limit. */
export const bodies: Family = async ({ isQuick, processes }) => {
  const connections = isQuick ? 1000 : 3000;
  const limitMs = isQuick ? 8000 : 20_000;
  const found: Findings[] = [];
  for (const workers of processes) {
    for (const source of ['127.0.0.66', connections]) {
      const from = typeof source === 'string' ? 'one address' : `${source} addresses`;
      const subject = `2: ${connections} stalled bodies of 262 kB from ${from}, heap of 512 MB, ${processesText(workers)}`;
      found.push(
        await withServer({ workers, heapMib: 512 }, (server) =>
          underAttack(subject, server, [{ source, connections, opening: STALLED, limitMs }]),
        ),
      );
    }
  }
  return joined([...found, await refusals(isQuick)]);
};

/** Requests of one address that has used up its minute, each after the answer to the one before. */
async function refusals(isQuick: boolean): Promise<Findings> {
  const full = JSON.stringify({ ips: ['8.8.8.8', 'x'.repeat(BODY_BYTES - 40)] });
  const calls = {
    'GET /ip': 'GET /ip HTTP/1.1\r\nHost: a\r\n\r\n',
    'a lookup': 'GET /api/ip/8.8.8.8 HTTP/1.1\r\nHost: a\r\n\r\n',
    'a batch of 262 kB': post(full.length, full),
    'an unknown path': 'GET /none HTTP/1.1\r\nHost: a\r\n\r\n',
    'a wrong key': 'GET /api/ip/8.8.8.8 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ipa_wrong\r\n\r\n',
    'a batch in gzip, 262 kB unpacked': zipped(full),
    'another unknown key each': Array.from(
      { length: 5000 },
      () => `GET /api/ip/8.8.8.8 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${newApiKey()}\r\n\r\n`,
    ),
  };
  return await withServer({}, async (server) => {
    const found: Findings[] = [];
    for (const [i, [what, opening]] of Object.entries(calls).entries()) {
      const caller = { source: 1, net: 100 + i, connections: 64, opening, waits: true };
      // Uses up the minute.
      await launchAttack({ ...caller, url: server.url, copies: 2, limitMs: 3000 });
      found.push(
        await cpuPerAnswer(`2: ${what}, over the limit`, server, {
          attack: { ...caller, copies: 1e9, returns: true, limitMs: isQuick ? 1000 : 4000 },
          mostMs: 1,
        }),
      );
    }
    return joined(found);
  });
}

function post(length: number, body: string): string {
  return `POST /api/ip/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

function zipped(text: string): string {
  const body = gzipSync(text).toString('latin1');
  return `POST /api/ip/batch HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
