import { recordOf, type Data } from './ask-for.js';
import { expect, expectData, type Bench, type Check } from './check.js';
import { FAILED_ENTRY, IP_RECORD } from './documented-shapes.js';
import { misfits } from './shape.js';

/** What records hold, and batches of them. */
export const RECORD_RULES: readonly Check[] = [
  {
    name: 'lang: another language is zh, of a repeated key the first counts (R15)',
    run: async (bench) => {
      const [plain, other, first] = await Promise.all(
        ['', '?lang=fr', '?lang=en&lang=zh'].map((query) => recordOf(bench, `${bench.ip}${query}`)),
      );
      expect(plain?.['country'] === other?.['country'], 'fr is not answered as zh');
      expect(first?.['country'] !== plain?.['country'], 'the last of two counts');
    },
  },
  {
    name: 'one trailing dot is dropped, a name in Unicode is asked for as A-label (R17)',
    run: async (bench) => {
      const dotted = await recordOf(bench, `${bench.host}.`);
      expect(dotted['ip'] !== '', 'a trailing dot is not dropped');
      const { client, key, domain } = bench;
      const { status, body } = await client.ask(
        `/api/ip/${encodeURIComponent(`nö-${Date.now()}.${domain}`)}`,
        { key },
      );
      const { code } = body as { code: number };
      expect(status === 200 && code === 404, `a name in Unicode is code ${code} instead of 404`);
    },
  },
  {
    name: 'of a reserved address every text is empty, every number null, every list empty (R19)',
    run: async (bench) => {
      const { ip, version, is_reserved, bgp, ...rest } = await recordOf(bench, '192.168.1.1');
      expect(ip === '192.168.1.1' && version === 4 && is_reserved === true, 'it is not told what it is');
      for (const [key, value] of [...Object.entries(rest), ...Object.entries(bgp as Data)]) {
        expect(isEmpty(value), `${key} is ${JSON.stringify(value)}`);
      }
    },
  },
  {
    name: 'special-purpose addresses are reserved, those beside them are not (R20)',
    run: async (bench) => {
      // As many as the smallest plan takes.
      const size = bench.key === undefined ? 5 : 10;
      for (const [addresses, isReserved] of [
        [RESERVED, true],
        [PUBLIC, false],
      ] as const) {
        for (let i = 0; i < addresses.length; i += size) {
          for (const entry of await entriesOf(bench, addresses.slice(i, i + size))) {
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
    name: 'a batch keeps its order and what is in it twice, and its errors have the two texts (R21)',
    run: async (bench) => {
      const missing = `no-such-host-${Date.now()}.${bench.domain}`;
      const [first, number, bad, lost, last] = await entriesOf(bench, [
        bench.ip,
        7,
        'AS1',
        missing,
        bench.ip,
      ]);
      for (const entry of [first, last]) expectFits(entry, IP_RECORD);
      for (const entry of [number, bad, lost]) expectFits(entry, FAILED_ENTRY);
      expect(number?.['error'] === 'invalid IP or hostname', `a number is "${String(number?.['error'])}"`);
      expect(
        bad?.['ip'] === 'AS1' && bad['error'] === 'invalid IP or hostname',
        'AS1 is not refused by its text',
      );
      expect(lost?.['ip'] === missing, 'what cannot be resolved is not told by its name');
      expect(lost['error'] === 'target could not be resolved', `a lost name is "${String(lost['error'])}"`);
      expect(first?.['ip'] === bench.ip && last?.['ip'] === bench.ip, 'the order is another');
    },
  },
  {
    name: 'a batch of which everything failed is still code 0 (R21)',
    run: async (bench) => {
      const entries = await entriesOf(bench, ['127.1', null, '']);
      expect(entries.length === 3, `${entries.length} entries of 3`);
      for (const entry of entries) expectFits(entry, FAILED_ENTRY);
    },
  },
  {
    name: 'location joins country, region, city and ISP, none blank and none twice (R22)',
    run: async (bench) => {
      for (const target of [bench.ip, '202.96.209.133', '8.8.8.8?lang=en', '10.0.0.1']) {
        const { location, country, region, city, isp } = await recordOf(bench, target);
        const words = new Set([country, region, city, isp].filter((word) => word !== ''));
        const expected = [...words].join(' ');
        expect(location === expected, `${target}: "${String(location)}" instead of "${expected}"`);
      }
    },
  },
  {
    name: 'fraud_score and last_seen are texts, last_seen a day or empty (R22)',
    run: async (bench) => {
      for (const target of [bench.ip, '185.220.101.1', '185.159.157.13']) {
        const { last_seen, is_proxy, fraud_score } = await recordOf(bench, target);
        expect(/^(\d{4}-\d\d-\d\d)?$/.test(String(last_seen)), `last_seen is ${String(last_seen)}`);
        expect(is_proxy === true || fraud_score === '', `fraud_score is ${String(fraud_score)} of no proxy`);
      }
    },
  },
  {
    name: 'bgp.peers are {asn,name}, bgp.ix are {id,name,city,country} (R23)',
    run: async (bench) => {
      const records = await Promise.all(['8.8.8.8', '80.81.192.1'].map((ip) => recordOf(bench, ip)));
      const [{ peers }, { ix }] = records.map(({ bgp }) => bgp) as [Data, Data];
      for (const peer of peers as unknown[]) expectFits(peer, { asn: 'integer', name: 'string' });
      const place = { id: 'integer', name: 'string', city: 'string', country: 'string' };
      for (const exchange of ix as unknown[]) expectFits(exchange, place);
    },
  },
];

const RESERVED = [
  ...[
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '172.16.0.1',
    '192.0.2.1',
    '198.18.0.1',
  ],
  ...['203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '::1', 'fc00::1', 'fe80::1', 'ff02::1'],
  ...['2001:db8::1', '4000::1', '2002::1', '::'],
] as const;
const PUBLIC = ['192.0.0.9', '172.32.0.1', '100.128.0.1', '11.0.0.1', '2001:4860::1'] as const;

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || value === false || (Array.isArray(value) && value.length === 0);
}

function expectFits(entry: unknown, shape: Parameters<typeof misfits>[1]): void {
  const [first] = misfits(entry, shape, 'entry');
  expect(first === undefined, first ?? '');
}

async function entriesOf({ client, key }: Bench, ips: readonly unknown[]): Promise<readonly Data[]> {
  const reply = await client.ask('/api/ip/batch', { key, json: { ips } });
  expectData(reply, ['object']);
  return (reply.body as { data: Data[] }).data;
}
