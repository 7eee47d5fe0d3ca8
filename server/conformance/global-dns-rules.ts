import { expect, expectShape, type Bench, type Check } from './check.js';
import { GLOBAL_ANSWER, REGIONS } from './documented-shapes.js';

/** Answers of public resolvers, as other places get them. */
export const GLOBAL_DNS_RULES: readonly Check[] = [
  {
    name: 'global DNS: what cannot be asked is HTTP 200 with error and no records (R30)',
    run: async ({ client, host }) => {
      for (const query of ['', '?domain=127.1', `?domain=${host}&provider=14`, `?domain=${host}&region=1`]) {
        const reply = await client.ask(`/dns_global/api/query${query}`);
        expectShape(reply, GLOBAL_ANSWER);
        const { error, records } = reply.body as { error?: string; records: unknown[] };
        expect(error !== undefined && records.length === 0, `${query}: no error, or records`);
      }
    },
  },
  {
    name: 'global DNS: an unknown type is A, a region is echoed with its subnet (R30, R31)',
    run: async ({ client, host }) => {
      const listed = await client.ask('/dns_global/api/regions');
      expectShape(listed, REGIONS);
      const regions = listed.body as { code: number; subnet: string }[];
      const region = regions.find(({ code }) => code === 84001);
      expect(region !== undefined, 'there is no region 84001');
      const reply = await client.ask(
        `/dns_global/api/query?domain=${host}&type=NONSENSE&region=${region.code}`,
      );
      expectShape(reply, GLOBAL_ANSWER);
      const answer = reply.body as Record<string, unknown>;
      expect(answer['subnet'] === region.subnet, `subnet is ${String(answer['subnet'])}`);
      expect(answer['edns_client_subnet'] === region.subnet, 'the ECS sent is another');
    },
  },
  {
    name: 'global DNS: a name that does not exist is NXDOMAIN and no error; without a region no ECS is told (R30)',
    run: async (bench) => {
      const missing = await globalAnswer(bench, `domain=no-such-host-${Date.now()}.${bench.domain}`);
      expect(missing['rcode'] === 'NXDOMAIN', `rcode is ${String(missing['rcode'])}`);
      expect(!('error' in missing), `error is ${String(missing['error'])}`);
      expect((missing['records'] as unknown[]).length === 0, 'it has records');
      expect(missing['edns_client_subnet'] === '', `ECS is ${String(missing['edns_client_subnet'])}`);
    },
  },
  {
    name: 'global DNS: every provider index from 0 to 13 is a resolver of its own (R30)',
    run: async (bench) => {
      const indexes = Array.from({ length: 14 }, (_, i) => i);
      const answers = await Promise.all(
        indexes.map((i) => globalAnswer(bench, `domain=${bench.host}&provider=${i}`)),
      );
      const names = new Set(answers.map(({ resolver }) => String(resolver)));
      expect(names.size === 14 && !names.has(''), `${names.size} resolvers answer to 14 indexes`);
    },
  },
  {
    name: 'global DNS: AAAA may be asked for from an IPv4 subnet; addresses have geo, isp, asn and org (R30)',
    run: async (bench) => {
      const answer = await globalAnswer(bench, `domain=${bench.host}&type=AAAA&region=84001&lang=en`);
      expect(/^[\d.]+\/24$/.test(String(answer['edns_client_subnet'])), 'the ECS sent is no /24');
      const records = answer['records'] as Readonly<Record<string, unknown>>[];
      for (const record of records.filter(({ type }) => type === 'A' || type === 'AAAA')) {
        for (const name of ['geo', 'isp', 'asn', 'org']) expect(name in record, `a record has no ${name}`);
      }
      expect(
        records.some(({ type }) => type === 'AAAA'),
        'there is no AAAA record',
      );
    },
  },
  {
    name: 'regions: 135 with codes of their own, China by province and carrier, labels by lang (R31)',
    run: async ({ client }) => {
      const [chinese, english] = await Promise.all(
        ['', '?lang=en'].map(async (query) => {
          const reply = await client.ask(`/dns_global/api/regions${query}`);
          expectShape(reply, REGIONS);
          return reply.body as Region[];
        }),
      );
      const regions = chinese ?? [];
      expect(regions.length === 135, `${regions.length} regions instead of 135`);
      expect(new Set(regions.map(({ code }) => code)).size === 135, 'a code is there twice');
      regions.forEach(({ code, flag, subnet, label }, i) => {
        expect((code >= 156_000 && code < 156_999) === (flag === 'CN'), `${code} is ${flag}`);
        expect(/^[\d.]+\/24$|^[\da-f:]+\/56$/.test(subnet), `${code}: its subnet is ${subnet}`);
        expect(code === english?.[i]?.code, `the languages differ at ${code}`);
        const name = english[i].label;
        expect(/[\u4e00-\u9fff]/.test(label) && !/[\u4e00-\u9fff]/.test(name), `${code}: ${label}, ${name}`);
      });
    },
  },
];

interface Region {
  readonly code: number;
  readonly label: string;
  readonly flag: string;
  readonly subnet: string;
}

async function globalAnswer({ client }: Bench, query: string): Promise<Readonly<Record<string, unknown>>> {
  const reply = await client.ask(`/dns_global/api/query?${query}`);
  expectShape(reply, GLOBAL_ANSWER);
  return reply.body as Readonly<Record<string, unknown>>;
}
