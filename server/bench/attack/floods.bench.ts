import type { ServerOptions } from './attacked-process.bench.js';
import { withServer } from './attacked-server.bench.js';
import type { Attack } from './attacker-task.bench.js';
import { joined, processesText, underAttack, type Family, type Findings } from './finding.bench.js';

/** Connections and requests that hold resources. The bars are those of finding 1. */
export const floods: Family = async ({ isQuick, processes }) => {
  const found: Findings[] = [];
  for (const workers of processes) {
    for (const [what, { options = {}, attack }] of Object.entries(attacksOf(isQuick))) {
      found.push(
        await withServer({ workers, ...options }, (server) =>
          underAttack(`more: ${what}, ${processesText(workers)}`, server, [
            { limitMs: isQuick ? 4000 : 12_000, ...attack },
          ]),
        ),
      );
    }
  }
  return joined(found);
};

type Flood = Pick<Attack, 'connections' | 'source'> & Partial<Attack>;

function attacksOf(
  isQuick: boolean,
): Readonly<Record<string, { readonly options?: ServerOptions; readonly attack: Flood }>> {
  const many = isQuick ? 1000 : 6000;
  const all: ReturnType<typeof attacksOf> = {
    [`${many} connections without a request, one address`]: {
      attack: { source: '127.0.0.66', connections: many, returns: true },
    },
    [`${many} connections without a request, as many addresses`]: {
      attack: { source: many, connections: many, returns: true },
    },
    [`${many} connections with a header byte a second`]: {
      attack: {
        ...{ source: many, connections: many, opening: 'GET /ip HTTP/1.1\r\nHost: a\r\nX: ', returns: true },
        drip: { text: 'a', everyMs: 1000 },
      },
    },
    '12,000 connections without a request, as many addresses': {
      attack: { source: 12_000, connections: 12_000, returns: true },
    },
    'a new connection for each request, 100 at a time': {
      attack: {
        ...{ source: '127.0.0.66', connections: 100, copies: 2, returns: true },
        opening: 'GET /ip HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      },
    },
    'upgrades of probe nodes, 100 connections': {
      attack: { source: '127.0.0.66', connections: 100, opening: UPGRADE, copies: 2, returns: true },
    },
    '200 chunked bodies in chunks of 1 byte': {
      attack: {
        ...{ source: 200, connections: 200, opening: CHUNKED, returns: true },
        drip: { text: '1\r\n[\r\n'.repeat(2000), everyMs: 200 },
      },
    },
    '200 chunked bodies with chunk extensions without end': {
      attack: {
        ...{ source: 200, connections: 200, opening: `${CHUNKED}1;`, returns: true },
        drip: { text: 'x'.repeat(10_000), everyMs: 200 },
      },
    },
    '200 chunked bodies with trailers without end': {
      attack: {
        ...{ source: 200, connections: 200, opening: `${CHUNKED}0\r\n`, returns: true },
        drip: { text: 'x: y\r\n'.repeat(1500), everyMs: 200 },
      },
    },
    '500 readers that do not read /openapi.json': {
      attack: {
        ...{ source: 500, connections: 500, reads: false },
        opening: 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n',
        copies: 50,
      },
    },
  };
  if (!isQuick) return all;
  return Object.fromEntries(Object.entries(all).filter((_, i) => [1, 2, 4].includes(i)));
}

const UPGRADE = [
  'GET /api/nodes/connect HTTP/1.1',
  'Host: a',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Authorization: Bearer wrong',
  '\r\n',
].join('\r\n');

const CHUNKED = 'POST /api/ip/batch HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
