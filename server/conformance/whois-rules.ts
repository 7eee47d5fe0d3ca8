import { whoisOf } from './ask-for.js';
import { expect, expectFailure, type Check } from './check.js';

/** Registrations. */
export const WHOIS_RULES: readonly Check[] = [
  {
    name: 'whois: a host asks for its domain, target is the echo (R26)',
    run: async (bench) => {
      const { target } = await whoisOf(bench, `www.${bench.domain}`);
      expect(target === `www.${bench.domain}`, `target is ${String(target)}`);
    },
  },
  {
    name: 'whois: an AS says is_asn, a bare number is 400 (R26)',
    run: async (bench) => {
      const { client, key, asn } = bench;
      const { is_asn } = await whoisOf(bench, `AS${asn}`);
      expect(is_asn === true, 'is_asn is not true');
      expectFailure(await client.ask(`/api/whois/${asn}`, { key }), 200, 400);
    },
  },
  {
    name: 'whois: a prefix may come with %2F or a raw slash (R26)',
    run: async (bench) => {
      for (const target of [bench.prefix, bench.prefix.replace('/', '%2F')]) await whoisOf(bench, target);
    },
  },
  {
    name: 'whois: a domain that is not registered is available, code 0 (R26)',
    run: async (bench) => {
      const tld = bench.domain.slice(bench.domain.lastIndexOf('.'));
      const { available } = await whoisOf(bench, `ipatlas-is-not-registered-${Date.now()}${tld}`);
      expect(available === true, 'available is not true');
    },
  },
  {
    name: 'whois: addresses and ASes that nobody holds and TLDs that nobody serves are 404 (R26)',
    run: async ({ client, key }) => {
      for (const target of ['10.0.0.1', 'AS64512', 'example.nobody-serves-this']) {
        expectFailure(await client.ask(`/api/whois/${target}`, { key }), 200, 404);
      }
    },
  },
  {
    name: 'whois: dates are ISO 8601 in UTC or empty, and raw is as received (R25, R27)',
    run: async (bench) => {
      for (const target of [bench.domain, bench.ip, `AS${bench.asn}`]) {
        const found = await whoisOf(bench, target);
        for (const name of ['creation_date', 'expiry_date', 'updated_date']) {
          const date = String(found[name]);
          expect(/^(\d{4}-\d\d-\d\d(T[\d:.]+Z)?)?$/.test(date), `${target}: ${name} is ${date}`);
        }
        expect(found['raw'] !== '', `${target}: raw is empty`);
      }
    },
  },
  {
    name: 'whois: status is in EPP spelling, name servers are host names (R27)',
    run: async (bench) => {
      const found = await whoisOf(bench, bench.domain);
      for (const status of found['status'] as string[]) {
        expect(/^[a-z]+([A-Z][a-z]+)*$/.test(status), `a status is "${status}"`);
      }
      for (const name of found['nameservers'] as string[]) {
        expect(/^[\w-]+(\.[\w-]+)+$/.test(name), `a name server is "${name}"`);
      }
      expect(found['creation_date'] !== '', 'creation_date is empty');
      expect(found['registrar'] !== '', 'registrar is empty');
    },
  },
  {
    name: 'whois: registrar of an address and an AS is the RIR (R27)',
    run: async (bench) => {
      for (const target of [bench.ip, `AS${bench.asn}`]) {
        const { registrar } = await whoisOf(bench, target);
        const isRir = /^(AFRINIC|APNIC|ARIN|LACNIC|RIPE( NCC)?)$/i.test(String(registrar));
        expect(isRir, `${target}: registrar is ${String(registrar)}`);
      }
    },
  },
];
