import { recordOf, type Data } from './ask-for.js';
import { expect, expectData, type CheckContext, type Rule } from './check.js';
import { FAILED_ENTRY, IP_RECORD } from './documented-shapes.js';
import { mismatches } from './shape.js';

/** Contents of records, and batches. */
export const RECORD_RULES: readonly Rule[] = [
  {
    name: 'lang: an unsupported language means zh; of a repeated parameter the first counts',
    decisions: [15],
    run: async (context) => {
      const [plain, other, first] = await Promise.all(
        ['', '?lang=fr', '?lang=en&lang=zh'].map((query) => recordOf(context, `${context.ip}${query}`)),
      );
      expect(plain?.['country'] === other?.['country'], 'lang=fr differs from zh');
      expect(first?.['country'] !== plain?.['country'], 'the last of two lang parameters counts');
    },
  },
  {
    name: 'one trailing dot is removed; a Unicode name is looked up in ASCII form',
    decisions: [17],
    run: async (context) => {
      const dotted = await recordOf(context, `${context.host}.`);
      expect(dotted['ip'] !== '', 'a name with a trailing dot has no ip');
      const { client, key, domain } = context;
      const { status, body } = await client.ask(
        `/api/ip/${encodeURIComponent(`nö-${Date.now()}.${domain}`)}`,
        { key },
      );
      const { code } = body as { code: number };
      expect(status === 200 && code === 404, `a missing Unicode name is code ${code}, expected 404`);
    },
  },
  {
    name: 'for a reserved address every text is empty, every number null, every list empty',
    decisions: [19],
    run: async (context) => {
      const { ip, version, is_reserved, bgp, ...rest } = await recordOf(context, '192.168.1.1');
      expect(
        ip === '192.168.1.1' && version === 4 && is_reserved === true,
        'ip, version or is_reserved is wrong',
      );
      for (const [key, value] of [...Object.entries(rest), ...Object.entries(bgp as Data)]) {
        expect(isEmpty(value), `${key} is ${JSON.stringify(value)}`);
      }
    },
  },
  {
    name: 'special-purpose addresses are reserved, neighbouring ones are not',
    decisions: [20],
    run: async (context) => {
      // The batch limit of the smallest plan.
      const size = context.key === undefined ? 5 : 10;
      for (const [addresses, isReserved] of [
        [RESERVED, true],
        [PUBLIC, false],
      ] as const) {
        for (let i = 0; i < addresses.length; i += size) {
          for (const entry of await entriesOf(context, addresses.slice(i, i + size))) {
            expect(
              entry['is_reserved'] === isReserved,
              `${String(entry['ip'])}: is_reserved is not ${isReserved}`,
            );
          }
        }
      }
    },
  },
  {
    name: 'a batch keeps order and duplicates; its errors have the two documented texts',
    decisions: [21],
    run: async (context) => {
      const missing = `no-such-host-${Date.now()}.${context.domain}`;
      const [first, number, bad, lost, last] = await entriesOf(context, [
        context.ip,
        7,
        'AS1',
        missing,
        context.ip,
      ]);
      for (const entry of [first, last]) expectFits(entry, IP_RECORD);
      for (const entry of [number, bad, lost]) expectFits(entry, FAILED_ENTRY);
      expect(
        number?.['error'] === 'invalid IP or hostname',
        `error for a number: "${String(number?.['error'])}"`,
      );
      expect(
        bad?.['ip'] === 'AS1' && bad['error'] === 'invalid IP or hostname',
        'AS1 does not have its text and the documented error',
      );
      expect(lost?.['ip'] === missing, 'an unresolved name is not echoed');
      expect(
        lost['error'] === 'target could not be resolved',
        `error for an unresolved name: "${String(lost['error'])}"`,
      );
      expect(first?.['ip'] === context.ip && last?.['ip'] === context.ip, 'the order is not kept');
    },
  },
  {
    name: 'a batch with only failures is still code 0',
    decisions: [21],
    run: async (context) => {
      const entries = await entriesOf(context, ['127.1', null, '']);
      expect(entries.length === 3, `${entries.length} entries, expected 3`);
      for (const entry of entries) expectFits(entry, FAILED_ENTRY);
    },
  },
  {
    name: 'location joins country, region, city and ISP, without empty or duplicate parts',
    decisions: [22],
    run: async (context) => {
      for (const target of [context.ip, '202.96.209.133', '8.8.8.8?lang=en', '10.0.0.1']) {
        const { location, country, region, city, isp } = await recordOf(context, target);
        const words = new Set([country, region, city, isp].filter((word) => word !== ''));
        const expected = [...words].join(' ');
        expect(location === expected, `${target}: location "${String(location)}", expected "${expected}"`);
      }
    },
  },
  {
    name: 'fraud_score and last_seen are strings; last_seen is a date or empty',
    decisions: [22],
    run: async (context) => {
      for (const target of [context.ip, '185.220.101.1', '185.159.157.13']) {
        const { last_seen, is_proxy, fraud_score } = await recordOf(context, target);
        expect(/^(\d{4}-\d\d-\d\d)?$/.test(String(last_seen)), `last_seen is ${String(last_seen)}`);
        expect(
          is_proxy === true || fraud_score === '',
          `fraud_score is ${String(fraud_score)} without a proxy`,
        );
      }
    },
  },
  {
    name: 'bgp.peers are {asn,name}, bgp.ix are {id,name,city,country}',
    decisions: [23],
    run: async (context) => {
      const records = await Promise.all(['8.8.8.8', '80.81.192.1'].map((ip) => recordOf(context, ip)));
      const [{ peers }, { ix }] = records.map(({ bgp }) => bgp) as [Data, Data];
      for (const peer of peers as unknown[]) expectFits(peer, { asn: 'integer', name: 'string' });
      const place = { id: 'integer', name: 'string', city: 'string', country: 'string' };
      for (const exchange of ix as unknown[]) expectFits(exchange, place);
    },
  },
];

const RESERVED = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.1.1',
  '172.16.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::1',
  'fc00::1',
  'fe80::1',
  'ff02::1',
  '2001:db8::1',
  '4000::1',
  '2002::1',
  '::',
] as const;
const PUBLIC = ['192.0.0.9', '172.32.0.1', '100.128.0.1', '11.0.0.1', '2001:4860::1'] as const;

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || value === false || (Array.isArray(value) && value.length === 0);
}

function expectFits(entry: unknown, shape: Parameters<typeof mismatches>[1]): void {
  const [first] = mismatches(entry, shape, 'entry');
  expect(first === undefined, first ?? '');
}

async function entriesOf({ client, key }: CheckContext, ips: readonly unknown[]): Promise<readonly Data[]> {
  const reply = await client.ask('/api/ip/batch', { key, json: { ips } });
  expectData(reply, ['object']);
  return (reply.body as { data: Data[] }).data;
}
