import { recordOf } from './ask-for.js';
import { expect, expectFailure, type Check } from './check.js';

/** Targets, languages and what a record holds. */
export const TARGET_RULES: readonly Check[] = [
  {
    name: 'lang: zh by default, en where it is asked for, whatever its case and region (R15)',
    run: async (bench) => {
      const [none, zh, en] = await Promise.all(
        ['', '?lang=zh-CN', '?lang=EN'].map((query) => recordOf(bench, `${bench.ip}${query}`)),
      );
      expect(none?.['country'] === zh?.['country'], 'the default is not that of zh-CN');
      expect(/[\u4e00-\u9fff]/.test(String(zh?.['country'])), `"${String(zh?.['country'])}" is not Chinese`);
      expect(/^[\x20-\x7e]+$/.test(String(en?.['country'])), `"${String(en?.['country'])}" is not English`);
    },
  },
  {
    name: 'a hostname is resolved first, and ip tells to what (R18)',
    run: async (bench) => {
      const { ip } = await recordOf(bench, bench.host);
      expect(/^[\d.]+$|:/.test(String(ip)), `ip is ${String(ip)}`);
    },
  },
  {
    name: 'what is no address and no host name is code 400 (R16)',
    run: async ({ client, key }) => {
      const targets = [
        '127.1',
        '0x7f000001',
        '2130706433',
        '010.0.0.1',
        '1.2.3',
        'fe80::1%25eth0',
        'localhost',
      ];
      for (const target of [...targets, '8.8.8.8:80', 'AS123', 'a_b.example.com', '%20']) {
        expectFailure(await client.ask(`/api/ip/${target}`, { key }), 200, 400);
      }
    },
  },
  {
    name: 'a name that does not exist is code 404 with HTTP 200 (R18)',
    run: async ({ client, key, domain }) => {
      const name = `no-such-host-${Date.now()}.${domain}`;
      expectFailure(await client.ask(`/api/ip/${name}`, { key }), 200, 404);
    },
  },
  {
    name: 'a reserved address has is_reserved and is empty otherwise (R19)',
    run: async (bench) => {
      for (const ip of ['10.0.0.1', '2001:db8::1']) {
        const { is_reserved, country, asn, bgp } = await recordOf(bench, ip);
        expect(is_reserved === true, `${ip}: is_reserved is ${String(is_reserved)}`);
        expect(country === '' && asn === null, `${ip}: country or asn is filled`);
        expect(!('line' in (bgp as object)), `${ip}: it has a line`);
      }
    },
  },
  {
    name: 'an IPv4-mapped address is version 4, IPv6 is printed as RFC 5952 (R17)',
    run: async (bench) => {
      const mapped = await recordOf(bench, `::ffff:${bench.ip}`);
      expect(mapped['version'] === 4 && mapped['ip'] === bench.ip, `ip is ${String(mapped['ip'])}`);
      const { ip, version } = await recordOf(bench, '2001:4860:4860:0:0:0:0:8888');
      expect(ip === '2001:4860:4860::8888' && version === 6, `ip is ${String(ip)}`);
    },
  },
  {
    name: 'rdns is empty on lookups, ip_type too unless it is a proxy (R22)',
    run: async (bench) => {
      const { rdns, ip_type, is_proxy } = await recordOf(bench, bench.ip);
      expect(rdns === '', 'rdns is filled');
      expect(is_proxy === true || ip_type === '', 'ip_type is filled');
    },
  },
  {
    name: 'a batch that is empty, no list, too long or no JSON is code 400 (R21)',
    run: async ({ client, key }) => {
      const tooMany = Array.from({ length: 501 }, () => '1.1.1.1');
      for (const json of [{ ips: [] }, { ips: 'x' }, {}, { ips: tooMany }, '{"ips":']) {
        expectFailure(await client.ask('/api/ip/batch', { key, json }), 200, 400);
      }
    },
  },
];
