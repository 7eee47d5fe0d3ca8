import { withServer } from './attacked-server.bench.js';
import { cpuPerAnswer, joined, type Family, type Findings } from './finding.bench.js';

/** Finding 4: documents that are not counted. */
export const documents: Family = ({ isQuick }) =>
  withServer({}, async (server) => {
    const found: Findings[] = [];
    for (const coding of ['br', 'gzip', 'identity']) {
      const opening = `GET /openapi.json HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${coding}\r\n\r\n`;
      found.push(
        await cpuPerAnswer(`4: /openapi.json in ${coding}`, server, {
          attack: {
            ...{ source: '127.0.0.66', connections: 8, opening, copies: 1e9, waits: true, returns: true },
            limitMs: isQuick ? 1000 : 4000,
          },
          mostMs: 1,
        }),
      );
    }
    return joined(found);
  });
