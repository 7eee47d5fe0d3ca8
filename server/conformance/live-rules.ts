import { expect, expectData, expectFailure, expectShape, type Check } from './check.js';
import {
  DNS_OF_TYPE,
  DNS_RECORDS,
  GLOBAL_ANSWER,
  PROBE_RESULT,
  REGIONS,
  WHOIS_RECORD,
} from './documented-shapes.js';

/** What talks to the world while the caller waits. */
export const LIVE_RULES: readonly Check[] = [
  {
    name: 'whois: a host asks for its domain, target is the echo (R26)',
    run: async ({ client, key, domain }) => {
      const { target } = expectData(await client.ask(`/api/whois/www.${domain}`, { key }), WHOIS_RECORD);
      expect(target === `www.${domain}`, `target is ${String(target)}`);
    },
  },
  {
    name: 'whois: an AS says is_asn, a bare number is 400 (R26)',
    run: async ({ client, key, asn }) => {
      const { is_asn } = expectData(await client.ask(`/api/whois/AS${asn}`, { key }), WHOIS_RECORD);
      expect(is_asn === true, 'is_asn is not true');
      expectFailure(await client.ask(`/api/whois/${asn}`, { key }), 200, 400);
    },
  },
  {
    name: 'whois: a prefix may come with %2F or a raw slash (R26)',
    run: async ({ client, key, prefix }) => {
      for (const target of [prefix, prefix.replace('/', '%2F')]) {
        expectData(await client.ask(`/api/whois/${target}`, { key }), WHOIS_RECORD);
      }
    },
  },
  {
    name: 'whois: a domain that is not registered is available, code 0 (R26)',
    run: async ({ client, key, domain }) => {
      const free = `ipatlas-is-not-registered-${Date.now()}${domain.slice(domain.lastIndexOf('.'))}`;
      const { available } = expectData(await client.ask(`/api/whois/${free}`, { key }), WHOIS_RECORD);
      expect(available === true, 'available is not true');
    },
  },
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
      const { records } = expectData(await client.ask(`/api/dns/${domain}`, { key }), DNS_RECORDS);
      expect((records as unknown[]).length > 0, 'no records at all');
    },
  },
  {
    name: 'tcping: 401 without a key, else 403 for what is not public, in the body of a HTTP 200 (R5)',
    needs: 'key',
    run: async ({ client, key }) => {
      for (const target of ['10.0.0.1', '192.168.1.1:22', '[::1]:80', '169.254.169.254']) {
        expectFailure(await client.ask(`/api/tcping/${target}`), 200, 401);
        expectFailure(await client.ask(`/api/tcping/${target}`, { key }), 200, 403);
      }
    },
  },
  {
    name: 'tcping: count is clamped to 1-10, garbage is the default, the port in the target wins (R32)',
    needs: 'key',
    run: async ({ client, key, open }) => {
      const [, port] = /:(\d+)$/.exec(open) ?? [];
      const reply = await client.ask(`/api/tcping/${open}?count=0&port=1&timeout=x`, { key });
      const result = expectData(reply, PROBE_RESULT);
      expect(result['sent'] === 1, `sent is ${String(result['sent'])}`);
      expect(String(result['port']) === port, `port is ${String(result['port'])}`);
      expect(result['timeout_ms'] === 3000, `timeout_ms is ${String(result['timeout_ms'])}`);
      expectFailure(await client.ask(`/api/tcping/${open.replace(/:\d+$/, ':99999')}`, { key }), 200, 400);
    },
  },
  {
    name: 'tcping: a node that is not online is 404 with available_countries (R34)',
    needs: 'key',
    run: async ({ client, key, open }) => {
      const reply = await client.ask(`/api/tcping/${open}?node=no-such-node`, { key });
      const { available_countries } = expectFailure(reply, 200, 404);
      expect(Array.isArray(available_countries), 'no available_countries');
    },
  },
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
];
