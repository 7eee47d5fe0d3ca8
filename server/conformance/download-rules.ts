import { createHash } from 'node:crypto';
import { usedToday } from './ask-for.js';
import { expect, expectData, type Bench, type Check } from './check.js';
import { DATASET } from './documented-shapes.js';
import type { Reply } from './service-client.js';

/** Downloads. A run takes two of asn, two of isp and one of mmdb, of five an hour each. */
export const DOWNLOAD_RULES: readonly Check[] = [
  {
    name: 'downloads: the Used headers count up by one, HEAD does not count, usage counts it (R9, R39)',
    needs: 'enterpriseKey',
    run: async (bench) => {
      const { client, enterpriseKey: key } = bench;
      const before = await usedToday(bench, key);
      const first = await firstByte(bench, 'isp');
      await client.ask('/api/datasets/isp', { key, method: 'HEAD' });
      const second = await firstByte(bench, 'isp');
      for (const name of ['hourly', 'daily']) {
        const [one, two] = [first, second].map(({ headers }) =>
          Number(headers.get(`x-dataset-${name}-used`)),
        );
        expect(two === Number(one) + 1, `X-Dataset-${name}-Used went from ${one} to ${two}`);
      }
      const counted = (await usedToday(bench, key)) - before;
      expect(counted === 2, `usage counted ${counted} downloads instead of 2`);
    },
  },
  {
    name: 'downloads: If-Range with the ETag is a part, with another the whole; it is the sha256 and never compressed (R40)',
    needs: 'enterpriseKey',
    run: async (bench) => {
      const { client, enterpriseKey: key } = bench;
      const part = await firstByte(bench, 'mmdb', { 'if-range': await etagOf(bench, 'mmdb') });
      expect(part.bytes.length === 1, `${part.bytes.length} bytes instead of 1`);
      const headers = { range: 'bytes=0-0', 'if-range': '"another"', 'accept-encoding': 'gzip, br' };
      const whole = await client.ask('/api/datasets/asn', { key, headers });
      expect(whole.status === 200, `HTTP ${whole.status} instead of 200`);
      const etag = await etagOf(bench, 'asn');
      const digest = createHash('sha256').update(whole.bytes).digest('hex');
      expect(etag === `"${digest}"`, 'sha256 is not that of the bytes');
      expect(whole.headers.get('etag') === etag, `the ETag is ${String(whole.headers.get('etag'))}`);
      expect(!whole.headers.has('content-encoding'), 'it is compressed');
      expect(whole.headers.has('last-modified'), 'there is no Last-Modified');
    },
  },
];

/** The ETag of a dataset, by its metadata. */
async function etagOf({ client }: Bench, dataset: string): Promise<string> {
  const found = expectData(await client.ask(`/api/datasets/${dataset}/info`), DATASET);
  return `"${String(found['sha256'])}"`;
}

async function firstByte(
  { client, enterpriseKey: key }: Bench,
  dataset: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const reply = await client.ask(`/api/datasets/${dataset}`, {
    key,
    headers: { range: 'bytes=0-0', ...more },
  });
  expect(reply.status === 206, `HTTP ${reply.status} instead of 206: ${reply.text.slice(0, 120)}`);
  return reply;
}
