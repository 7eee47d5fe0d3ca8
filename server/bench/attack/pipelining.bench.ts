import { withServer } from './attacked-server.bench.js';
import { joined, processesText, underAttack, type Family, type Findings } from './finding.bench.js';

/** 64 kB on each connection. */
const REQUEST = 'GET /ip HTTP/1.1\r\nHost: a\r\n\r\n';
const COPIES = Math.round(64_000 / REQUEST.length);

/** Finding 1: pipelined requests, once and from callers that return as soon as their connection ends. */
export const pipelining: Family = async ({ isQuick, processes }) => {
  const found: Findings[] = [];
  for (const workers of processes) {
    const sizes = isQuick ? [200] : [50, 200];
    for (const connections of sizes) {
      const size = ((connections * COPIES * REQUEST.length) / 1e6).toFixed(1);
      const attack = { source: '127.0.0.66', connections, opening: REQUEST, copies: COPIES };
      const where = `on ${connections} connections, ${processesText(workers)}`;
      found.push(
        await withServer({ workers }, (server) =>
          underAttack(`1: ${size} MB of pipelined GET /ip ${where}`, server, [
            { ...attack, limitMs: isQuick ? 15_000 : 60_000 },
          ]),
        ),
      );
      if (isQuick) continue;
      found.push(
        await withServer({ workers }, (server) =>
          underAttack(`1: the same ${where}, callers return for 10 s`, server, [
            { ...attack, returns: true, limitMs: 10_000 },
          ]),
        ),
      );
    }
  }
  return joined(found);
};
