import { expect, expectData, expectFailure, type Check } from './check.js';
import { DNS_OF_TYPE, DNS_RECORDS } from './documented-shapes.js';

/** Records of names. */
export const DNS_RULES: readonly Check[] = [
  {
    name: 'dns: other characters and other types are 400, the type in any case (R17, R28)',
    run: async ({ client, key, domain }) => {
      expectFailure(await client.ask(`/api/dns/a_b.${domain}`, { key }), 200, 400);
      expectFailure(await client.ask(`/api/dns/${domain}/HTTPS`, { key }), 200, 400);
      const { type } = expectData(await client.ask(`/api/dns/${domain}/ns`, { key }), DNS_OF_TYPE);
      expect(String(type).toUpperCase() === 'NS', `type is ${String(type)}`);
    },
  },
  {
    name: 'dns: a name that does not exist is 404, of one type code 0 with no records (R28)',
    run: async ({ client, key, domain }) => {
      const name = `no-such-host-${Date.now()}.${domain}`;
      expectFailure(await client.ask(`/api/dns/${name}`, { key }), 200, 404);
      const { records } = expectData(await client.ask(`/api/dns/${name}/A`, { key }), DNS_OF_TYPE);
      expect(Array.isArray(records) && records.length === 0, 'records is not empty');
    },
  },
  {
    name: 'dns: every record has a ttl (R28)',
    run: async ({ client, key, domain }) => {
      const { records } = expectData(await client.once(`/api/dns/${domain}`, { key }), DNS_RECORDS);
      expect((records as unknown[]).length > 0, 'no records at all');
    },
  },
  {
    name: 'dns: a value has the form of its type (R28)',
    run: async ({ client, key, domain }) => {
      const { records } = expectData(await client.once(`/api/dns/${domain}`, { key }), DNS_RECORDS);
      const found = records as DnsRecord[];
      for (const type of ['SOA', 'NS'])
        expect(
          found.some((one) => one.type === type),
          `there is no ${type}`,
        );
      for (const { type, value, ...more } of found) {
        expect(FORMS[type]?.test(value) !== false, `${type} is "${value}"`);
        const hasPriority = type === 'MX' || type === 'SRV';
        expect('priority' in more === hasPriority, `${type}: priority`);
        expect('serial' in more === (type === 'SOA'), `${type}: serial`);
        expect('minimum_ttl' in more === (type === 'SOA'), `${type}: minimum_ttl`);
      }
    },
  },
  {
    name: 'dns: the PTR of an IPv4 address is asked for by its arpa name, query is the echo (R28)',
    run: async ({ client, key, ip }) => {
      const reply = await client.ask(`/api/dns/${ip}/PTR`, { key });
      const { query, records } = expectData(reply, DNS_OF_TYPE);
      expect(query === ip, `query is ${String(query)}`);
      expect((records as unknown[]).length > 0, 'there is no record');
    },
  },
];

interface DnsRecord {
  readonly type: string;
  readonly value: string;
}

const NAME = String.raw`[\w-]+(\.[\w-]+)*`;

/** How values of a type look; of others nothing is said. */
const FORMS: Readonly<Record<string, RegExp>> = {
  A: /^\d+(\.\d+){3}$/,
  AAAA: /^[\da-f:.]+$/,
  NS: new RegExp(`^${NAME}$`),
  CNAME: new RegExp(`^${NAME}$`),
  MX: new RegExp(String.raw`^(${NAME}|\.)$`),
  SRV: new RegExp(String.raw`^\d+ \d+ (${NAME}|\.)$`),
  SOA: new RegExp(String.raw`^${NAME} (\\.|[\w.-])+$`),
  TXT: /^[^"]/,
};
