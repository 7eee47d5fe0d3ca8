import { createHash } from 'node:crypto';
import { usedToday } from './ask-for.js';
import { expect, expectData, type CheckContext, type Rule } from './check.js';
import { DATASET } from './documented-shapes.js';
import type { Reply } from './service-client.js';

/** Downloads. A run takes two of asn, two of isp and one of mmdb. The limit is five of each per hour. */
export const DOWNLOAD_RULES: readonly Rule[] = [
  {
    name: 'downloads: each one increases the Used headers and usage by one; HEAD does not',
    decisions: [9, 39],
    needs: 'enterpriseKey',
    run: async (context) => {
      const { client, enterpriseKey: key } = context;
      const before = await usedToday(context, key);
      const first = await firstByte(context, 'isp');
      await client.ask('/api/datasets/isp', { key, method: 'HEAD' });
      const second = await firstByte(context, 'isp');
      for (const name of ['hourly', 'daily']) {
        const [one, two] = [first, second].map(({ headers }) =>
          Number(headers.get(`x-dataset-${name}-used`)),
        );
        expect(two === Number(one) + 1, `X-Dataset-${name}-Used changed from ${one} to ${two}, expected +1`);
      }
      const counted = (await usedToday(context, key)) - before;
      expect(counted === 2, `${counted} downloads in usage, expected 2`);
    },
  },
  {
    name: 'downloads: If-Range with the current ETag gives the part, with another the whole; the ETag is the sha256; no compression',
    decisions: [40],
    needs: 'enterpriseKey',
    run: async (context) => {
      const { client, enterpriseKey: key } = context;
      const part = await firstByte(context, 'mmdb', { 'if-range': await etagOf(context, 'mmdb') });
      expect(part.bytes.length === 1, `${part.bytes.length} bytes, expected 1`);
      const headers = { range: 'bytes=0-0', 'if-range': '"another"', 'accept-encoding': 'gzip, br' };
      const whole = await client.ask('/api/datasets/asn', { key, headers });
      expect(whole.status === 200, `HTTP ${whole.status}, expected 200`);
      const etag = await etagOf(context, 'asn');
      const digest = createHash('sha256').update(whole.bytes).digest('hex');
      expect(etag === `"${digest}"`, 'sha256 does not match the bytes');
      expect(
        whole.headers.get('etag') === etag,
        `ETag ${String(whole.headers.get('etag'))}, expected ${etag}`,
      );
      expect(!whole.headers.has('content-encoding'), 'unexpected header Content-Encoding');
      expect(whole.headers.has('last-modified'), 'missing header Last-Modified');
    },
  },
];

/** Returns the ETag of a dataset, derived from its metadata. */
async function etagOf({ client }: CheckContext, dataset: string): Promise<string> {
  const found = expectData(await client.ask(`/api/datasets/${dataset}/info`), DATASET);
  return `"${String(found['sha256'])}"`;
}

async function firstByte(
  { client, enterpriseKey: key }: CheckContext,
  dataset: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const reply = await client.ask(`/api/datasets/${dataset}`, {
    key,
    headers: { range: 'bytes=0-0', ...more },
  });
  expect(reply.status === 206, `HTTP ${reply.status}, expected 206: ${reply.text.slice(0, 120)}`);
  return reply;
}
