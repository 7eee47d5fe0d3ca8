import { expect, expectShape, type CheckContext, type Rule } from './check.js';
import { GLOBAL_ANSWER, REGIONS } from './documented-shapes.js';

/** Answers of public resolvers for other places. */
export const GLOBAL_DNS_RULES: readonly Rule[] = [
  {
    name: 'global DNS: an invalid query is HTTP 200 with error and without records',
    decisions: [30],
    run: async ({ client, host }) => {
      for (const query of ['', '?domain=127.1', `?domain=${host}&provider=14`, `?domain=${host}&region=1`]) {
        const reply = await client.ask(`/dns_global/api/query${query}`);
        expectShape(reply, GLOBAL_ANSWER);
        const { error, records } = reply.body as { error?: string; records: unknown[] };
        expect(
          error !== undefined && records.length === 0,
          `${query}: error is missing or records is not empty`,
        );
      }
    },
  },
  {
    name: 'global DNS: an unknown type is read as A; a region is echoed with its subnet',
    decisions: [30, 31],
    run: async ({ client, host }) => {
      const listed = await client.ask('/dns_global/api/regions');
      expectShape(listed, REGIONS);
      const regions = listed.body as { code: number; subnet: string }[];
      const region = regions.find(({ code }) => code === 84001);
      expect(region !== undefined, 'region 84001 is missing');
      const reply = await client.ask(
        `/dns_global/api/query?domain=${host}&type=NONSENSE&region=${region.code}`,
      );
      expectShape(reply, GLOBAL_ANSWER);
      const answer = reply.body as Record<string, unknown>;
      expect(answer['subnet'] === region.subnet, `subnet is ${String(answer['subnet'])}`);
      expect(answer['edns_client_subnet'] === region.subnet, 'edns_client_subnet differs from the subnet');
    },
  },
  {
    name: 'global DNS: a missing name is NXDOMAIN without error; without a region edns_client_subnet is empty',
    decisions: [30],
    run: async (context) => {
      const missing = await globalAnswer(context, `domain=no-such-host-${Date.now()}.${context.domain}`);
      expect(missing['rcode'] === 'NXDOMAIN', `rcode is ${String(missing['rcode'])}`);
      expect(!('error' in missing), `error is ${String(missing['error'])}`);
      expect((missing['records'] as unknown[]).length === 0, 'records is not empty');
      expect(
        missing['edns_client_subnet'] === '',
        `edns_client_subnet is ${String(missing['edns_client_subnet'])}`,
      );
    },
  },
  {
    name: 'global DNS: each provider index from 0 to 13 is a different resolver',
    decisions: [30],
    run: async (context) => {
      const indexes = Array.from({ length: 14 }, (_, i) => i);
      const answers = await Promise.all(
        indexes.map((i) => globalAnswer(context, `domain=${context.host}&provider=${i}`)),
      );
      const names = new Set(answers.map(({ resolver }) => String(resolver)));
      expect(names.size === 14 && !names.has(''), `${names.size} resolvers for 14 indexes`);
    },
  },
  {
    name: 'global DNS: AAAA works with an IPv4 subnet; addresses have geo, isp, asn and org',
    decisions: [30],
    run: async (context) => {
      const answer = await globalAnswer(context, `domain=${context.host}&type=AAAA&region=84001&lang=en`);
      expect(/^[\d.]+\/24$/.test(String(answer['edns_client_subnet'])), 'edns_client_subnet is not a /24');
      const records = answer['records'] as Readonly<Record<string, unknown>>[];
      for (const record of records.filter(({ type }) => type === 'A' || type === 'AAAA')) {
        for (const name of ['geo', 'isp', 'asn', 'org']) expect(name in record, `a record without ${name}`);
      }
      expect(
        records.some(({ type }) => type === 'AAAA'),
        'no AAAA record',
      );
    },
  },
  {
    name: 'regions: 135 unique codes, mainland China by province and carrier, labels by lang',
    decisions: [31],
    run: async ({ client }) => {
      const [chinese, english] = await Promise.all(
        ['', '?lang=en'].map(async (query) => {
          const reply = await client.ask(`/dns_global/api/regions${query}`);
          expectShape(reply, REGIONS);
          return reply.body as Region[];
        }),
      );
      const regions = chinese ?? [];
      expect(regions.length === 135, `${regions.length} regions, expected 135`);
      expect(new Set(regions.map(({ code }) => code)).size === 135, 'duplicate code');
      regions.forEach(({ code, flag, subnet, label }, i) => {
        expect((code >= 156_000 && code < 156_999) === (flag === 'CN'), `region ${code} has flag ${flag}`);
        expect(/^[\d.]+\/24$|^[\da-f:]+\/56$/.test(subnet), `region ${code} has subnet ${subnet}`);
        expect(code === english?.[i]?.code, `the languages have different codes at ${code}`);
        const name = english[i].label;
        expect(
          /[\u4e00-\u9fff]/.test(label) && !/[\u4e00-\u9fff]/.test(name),
          `region ${code} has labels ${label}, ${name}`,
        );
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

async function globalAnswer(
  { client }: CheckContext,
  query: string,
): Promise<Readonly<Record<string, unknown>>> {
  const reply = await client.ask(`/dns_global/api/query?${query}`);
  expectShape(reply, GLOBAL_ANSWER);
  return reply.body as Readonly<Record<string, unknown>>;
}
