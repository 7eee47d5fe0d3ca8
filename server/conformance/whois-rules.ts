import { whoisOf } from './ask-for.js';
import { expect, expectFailure, type Rule } from './check.js';

/** Registration data. */
export const WHOIS_RULES: readonly Rule[] = [
  {
    name: 'whois: a host name means its registrable domain; target echoes the input',
    decisions: [26],
    run: async (context) => {
      const { target } = await whoisOf(context, `www.${context.domain}`);
      expect(target === `www.${context.domain}`, `target is ${String(target)}`);
    },
  },
  {
    name: 'whois: an AS has is_asn; a bare number is 400',
    decisions: [26],
    run: async (context) => {
      const { client, key, asn } = context;
      const { is_asn } = await whoisOf(context, `AS${asn}`);
      expect(is_asn === true, 'is_asn is not true');
      expectFailure(await client.ask(`/api/whois/${asn}`, { key }), 200, 400);
    },
  },
  {
    name: 'whois: a prefix works with %2F and with a plain slash',
    decisions: [26],
    run: async (context) => {
      for (const target of [context.prefix, context.prefix.replace('/', '%2F')])
        await whoisOf(context, target);
    },
  },
  {
    name: 'whois: an unregistered domain is code 0 with available: true',
    decisions: [26],
    run: async (context) => {
      const tld = context.domain.slice(context.domain.lastIndexOf('.'));
      const { available } = await whoisOf(context, `ipatlas-is-not-registered-${Date.now()}${tld}`);
      expect(available === true, 'available is not true');
    },
  },
  {
    name: 'whois: unassigned addresses and AS numbers, and TLDs without a server are 404',
    decisions: [26],
    run: async ({ client, key }) => {
      for (const target of ['10.0.0.1', 'AS64512', 'example.nobody-serves-this']) {
        expectFailure(await client.ask(`/api/whois/${target}`, { key }), 200, 404);
      }
    },
  },
  {
    name: 'whois: dates are ISO 8601 in UTC or empty; raw is the reply as received',
    decisions: [25, 27],
    run: async (context) => {
      for (const target of [context.domain, context.ip, `AS${context.asn}`]) {
        const found = await whoisOf(context, target);
        for (const name of ['creation_date', 'expiry_date', 'updated_date']) {
          const date = String(found[name]);
          expect(/^(\d{4}-\d\d-\d\d(T[\d:.]+Z)?)?$/.test(date), `${target}: ${name} is ${date}`);
        }
        expect(found['raw'] !== '', `${target}: raw is empty`);
      }
    },
  },
  {
    name: 'whois: status values are EPP codes; name servers are host names',
    decisions: [27],
    run: async (context) => {
      const found = await whoisOf(context, context.domain);
      for (const status of found['status'] as string[]) {
        expect(/^[a-z]+([A-Z][a-z]+)*$/.test(status), `invalid status "${status}"`);
      }
      for (const name of found['nameservers'] as string[]) {
        expect(/^[\w-]+(\.[\w-]+)+$/.test(name), `invalid name server "${name}"`);
      }
      expect(found['creation_date'] !== '', 'creation_date is empty');
      expect(found['registrar'] !== '', 'registrar is empty');
    },
  },
  {
    name: 'whois: the registrar of an address or AS is its RIR',
    decisions: [27],
    run: async (context) => {
      for (const target of [context.ip, `AS${context.asn}`]) {
        const { registrar } = await whoisOf(context, target);
        const isRir = /^(AFRINIC|APNIC|ARIN|LACNIC|RIPE( NCC)?)$/i.test(String(registrar));
        expect(isRir, `${target}: registrar is ${String(registrar)}`);
      }
    },
  },
];
