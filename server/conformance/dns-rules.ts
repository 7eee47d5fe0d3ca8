import { expect, expectData, expectFailure, type Rule } from './check.js';
import { DNS_OF_TYPE, DNS_RECORDS } from './documented-shapes.js';

/** DNS records. */
export const DNS_RULES: readonly Rule[] = [
  {
    name: 'dns: invalid characters and unsupported types are 400; the type is case-insensitive',
    decisions: [17, 28],
    run: async ({ client, key, domain }) => {
      expectFailure(await client.ask(`/api/dns/a_b.${domain}`, { key }), 200, 400);
      expectFailure(await client.ask(`/api/dns/${domain}/HTTPS`, { key }), 200, 400);
      const { type } = expectData(await client.ask(`/api/dns/${domain}/ns`, { key }), DNS_OF_TYPE);
      expect(String(type).toUpperCase() === 'NS', `type is ${String(type)}`);
    },
  },
  {
    name: 'dns: a missing name is 404; a single type of it is code 0 without records',
    decisions: [28],
    run: async ({ client, key, domain }) => {
      const name = `no-such-host-${Date.now()}.${domain}`;
      expectFailure(await client.ask(`/api/dns/${name}`, { key }), 200, 404);
      const { records } = expectData(await client.ask(`/api/dns/${name}/A`, { key }), DNS_OF_TYPE);
      expect(Array.isArray(records) && records.length === 0, 'records is not empty');
    },
  },
  {
    name: 'dns: every record has a ttl',
    decisions: [28],
    run: async ({ client, key, domain }) => {
      const { records } = expectData(await client.once(`/api/dns/${domain}`, { key }), DNS_RECORDS);
      expect((records as unknown[]).length > 0, 'records is empty');
    },
  },
  {
    name: 'dns: every value has the format of its type',
    decisions: [28],
    run: async ({ client, key, domain }) => {
      const { records } = expectData(await client.once(`/api/dns/${domain}`, { key }), DNS_RECORDS);
      const found = records as DnsRecord[];
      for (const type of ['SOA', 'NS'])
        expect(
          found.some((one) => one.type === type),
          `no ${type} record`,
        );
      for (const { type, value, ...more } of found) {
        expect(FORMS[type]?.test(value) !== false, `invalid ${type} value "${value}"`);
        const hasPriority = type === 'MX' || type === 'SRV';
        expect(
          'priority' in more === hasPriority,
          `${type}: priority ${hasPriority ? 'missing' : 'unexpected'}`,
        );
        expect('serial' in more === (type === 'SOA'), `${type}: serial missing or unexpected`);
        expect('minimum_ttl' in more === (type === 'SOA'), `${type}: minimum_ttl missing or unexpected`);
      }
    },
  },
  {
    name: 'dns: PTR of an IPv4 address queries its arpa name; query echoes the address',
    decisions: [28],
    run: async ({ client, key, ip }) => {
      const reply = await client.ask(`/api/dns/${ip}/PTR`, { key });
      const { query, records } = expectData(reply, DNS_OF_TYPE);
      expect(query === ip, `query is ${String(query)}`);
      expect((records as unknown[]).length > 0, 'records is empty');
    },
  },
];

interface DnsRecord {
  readonly type: string;
  readonly value: string;
}

const NAME = String.raw`[\w-]+(\.[\w-]+)*`;

/** Formats of values by type. Other types are not checked. */
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
