import { expect, expectData, expectFailure, expectShape, type CheckContext, type Rule } from './check.js';
import { ACCOUNT, DATASET } from './documented-shapes.js';

const EDITION = 'GeoLite2-ASN';

/** Changes of a dataset and the protocol of geoipupdate. None of these calls is a download. */
export const UPDATE_RULES: readonly Rule[] = [
  {
    name: 'changes: since the current file there are none; an unknown file is code 404 with the whole file',
    decisions: [85],
    needs: 'enterpriseKey',
    run: async ({ client, enterpriseKey: key }) => {
      const { sha256, size } = expectData(await client.ask('/api/datasets/asn/info'), DATASET);
      const since = (digest: string): string => `/api/datasets/asn/changes?since=${digest}`;
      const none = expectData(await client.ask(since(String(sha256)), { key }), CHANGES);
      const snapshot = none['snapshot'] as Record<string, unknown>;
      expect(
        snapshot['sha256'] === sha256 && snapshot['size'] === size,
        'the snapshot is not the current file',
      );
      expect((none['deltas'] as unknown[]).length === 0, 'there are deltas to the file itself');
      const unknown = expectFailure(await client.ask(since('0'.repeat(64)), { key }), 200, 404);
      const whole = unknown['snapshot'] as Record<string, unknown> | undefined;
      expect(whole?.['sha256'] === sha256, 'code 404 does not name the whole file');
    },
  },
  {
    name: 'updates: a list of editions, HTTP 304 for the current file, and HTTP 401 and 404 with a line of text',
    decisions: [77, 78],
    needs: 'enterpriseKey',
    run: async (context) => {
      const { client } = context;
      const headers = await loginOf(context);
      const list = await client.ask(`/geoip/updates/metadata?edition_id=${EDITION}`, { headers });
      expectShape(list, { databases: [{ edition_id: 'string', md5: 'string', date: 'string' }] });
      const [entry] = (list.body as { databases: { md5: string }[] }).databases;
      const update = (edition: string): string =>
        `/geoip/databases/${edition}/update?db_md5=${String(entry?.md5)}`;
      const refused = [
        [await client.ask(update(EDITION), { headers }), 304],
        [await client.ask(update(EDITION)), 401],
        [await client.ask(update('another'), { headers }), 404],
      ] as const;
      for (const [{ status, headers: sent }, expected] of refused) {
        expect(status === expected, `HTTP ${status}, expected ${expected}`);
        const type = sent.get('content-type') ?? 'text/plain';
        expect(type.startsWith('text/plain'), `content type ${type}, expected text/plain`);
      }
    },
  },
];

const FILE = { uri: 'string', sha256: 'string', size: 'integer' } as const;
const CHANGES = { session: 'string', serial: 'integer', snapshot: FILE, deltas: ['object'] } as const;

/** Returns the header of HTTP Basic with the number of the account and its key. */
async function loginOf({ client, enterpriseKey: key }: CheckContext): Promise<Record<string, string>> {
  const { id } = expectData(await client.ask('/api/user/me', { key }), ACCOUNT);
  return { authorization: `Basic ${Buffer.from(`${String(id)}:${String(key)}`).toString('base64')}` };
}
