import { readAnswer, sendRaw } from '../../testing/raw-http.js';
import { withServer } from './attacked-server.bench.js';
import { barOnly, joined, type Family, type Findings } from './finding.bench.js';

/** Finding 9: a caller's header lines before the X-Forwarded-For of the trusted proxy. Node keeps 1,000 lines. */
export const trustedHeaders: Family = () =>
  withServer({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } }, async (server) => {
    const found: Findings[] = [];
    for (const lines of [0, 900, 998, 999, 1000, 2500]) {
      const request = `GET /ip HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(lines)}`;
      const text = await sendRaw(
        server.url,
        `${request}X-Forwarded-For: 198.51.100.7\r\nConnection: close\r\n\r\n`,
      );
      const { status, body } = readAnswer(text);
      found.push(
        barOnly(`9: ${lines} header lines before X-Forwarded-For`, "the proxy's address, or 4xx", {
          measured: `${status} ${body.trim().slice(0, 40)}`,
          isMet: (status === 200 && body.trim() === '198.51.100.7') || (status >= 400 && status < 500),
        }),
      );
    }
    return joined(found);
  });
