import { expect, expectData, expectFailure, type Check } from './check.js';
import { WHOIS_RECORD } from './documented-shapes.js';

/** Registrations. */
export const WHOIS_RULES: readonly Check[] = [
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
    name: 'whois: addresses and ASes that nobody holds and TLDs that nobody serves are 404 (R26)',
    run: async ({ client, key }) => {
      for (const target of ['10.0.0.1', 'AS64512', 'example.nobody-serves-this']) {
        expectFailure(await client.ask(`/api/whois/${target}`, { key }), 200, 404);
      }
    },
  },
  {
    name: 'whois: dates are ISO 8601 in UTC or empty, and raw is as received (R25, R27)',
    run: async ({ client, key, domain, ip, asn }) => {
      for (const target of [domain, ip, `AS${asn}`]) {
        const found = expectData(await client.ask(`/api/whois/${target}`, { key }), WHOIS_RECORD);
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
    run: async ({ client, key, domain }) => {
      const found = expectData(await client.ask(`/api/whois/${domain}`, { key }), WHOIS_RECORD);
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
    run: async ({ client, key, ip, asn }) => {
      for (const target of [ip, `AS${asn}`]) {
        const { registrar } = expectData(await client.ask(`/api/whois/${target}`, { key }), WHOIS_RECORD);
        const isRir = /^(AFRINIC|APNIC|ARIN|LACNIC|RIPE( NCC)?)$/i.test(String(registrar));
        expect(isRir, `${target}: registrar is ${String(registrar)}`);
      }
    },
  },
];
