import { recordOf } from './ask-for.js';
import { expect, expectFailure, type Rule } from './check.js';

/** Targets, languages and contents of records. */
export const TARGET_RULES: readonly Rule[] = [
  {
    name: 'lang: zh by default, en on request, regardless of case and region',
    decisions: [15],
    run: async (context) => {
      const [none, zh, en] = await Promise.all(
        ['', '?lang=zh-CN', '?lang=EN'].map((query) => recordOf(context, `${context.ip}${query}`)),
      );
      expect(none?.['country'] === zh?.['country'], 'the default differs from zh-CN');
      expect(/[\u4e00-\u9fff]/.test(String(zh?.['country'])), `"${String(zh?.['country'])}" is not Chinese`);
      expect(/^[\x20-\x7e]+$/.test(String(en?.['country'])), `"${String(en?.['country'])}" is not English`);
    },
  },
  {
    name: 'a host name is resolved, and ip is the resolved address',
    decisions: [18],
    run: async (context) => {
      const { ip } = await recordOf(context, context.host);
      expect(/^[\d.]+$|:/.test(String(ip)), `ip is ${String(ip)}`);
    },
  },
  {
    name: 'an invalid address or host name is code 400',
    decisions: [16],
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
    name: 'a missing name is HTTP 200 with code 404',
    decisions: [18],
    run: async ({ client, key, domain }) => {
      const name = `no-such-host-${Date.now()}.${domain}`;
      expectFailure(await client.ask(`/api/ip/${name}`, { key }), 200, 404);
    },
  },
  {
    name: 'a reserved address has is_reserved and is empty otherwise',
    decisions: [19],
    run: async (context) => {
      for (const ip of ['10.0.0.1', '2001:db8::1']) {
        const { is_reserved, country, asn, bgp } = await recordOf(context, ip);
        expect(is_reserved === true, `${ip}: is_reserved is ${String(is_reserved)}`);
        expect(country === '' && asn === null, `${ip}: country or asn is not empty`);
        expect(!('line' in (bgp as object)), `${ip}: unexpected bgp.line`);
      }
    },
  },
  {
    name: 'an IPv4-mapped address is version 4; IPv6 is written as in RFC 5952',
    decisions: [17],
    run: async (context) => {
      const mapped = await recordOf(context, `::ffff:${context.ip}`);
      expect(mapped['version'] === 4 && mapped['ip'] === context.ip, `ip is ${String(mapped['ip'])}`);
      const { ip, version } = await recordOf(context, '2001:4860:4860:0:0:0:0:8888');
      expect(ip === '2001:4860:4860::8888' && version === 6, `ip is ${String(ip)}`);
    },
  },
  {
    name: 'rdns is empty on lookups, and so is ip_type unless the address is a proxy',
    decisions: [22],
    run: async (context) => {
      const { rdns, ip_type, is_proxy } = await recordOf(context, context.ip);
      expect(rdns === '', `rdns is ${String(rdns)}`);
      expect(is_proxy === true || ip_type === '', `ip_type is ${String(ip_type)} without a proxy`);
    },
  },
  {
    name: 'a batch that is empty, not an array, too long or invalid JSON is code 400',
    decisions: [21],
    run: async ({ client, key }) => {
      const tooMany = Array.from({ length: 501 }, () => '1.1.1.1');
      for (const json of [{ ips: [] }, { ips: 'x' }, {}, { ips: tooMany }, '{"ips":']) {
        expectFailure(await client.ask('/api/ip/batch', { key, json }), 200, 400);
      }
    },
  },
];
