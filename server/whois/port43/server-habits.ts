import type { WhoisTarget } from '../whois-record.js';

/** How one server differs from the others, as is generally known: of a server that changed it is only a worse query. */
export interface ServerHabits {
  /** The query with `{}` for what is asked: a name, an address, a prefix, an AS number. */
  readonly domain?: string;
  readonly address?: string;
  readonly prefix?: string;
  readonly asn?: string;
  /** A prefix is found only as it was given away, not a part of one. */
  readonly prefixIsExact?: true;
  /** Of what is not UTF-8; a label that TextDecoder knows. */
  readonly charset?: string;
  /** Minutes east of UTC of times without a zone. */
  readonly utcOffset?: number;
  /** Dates in figures have the day first: `02.01.2026`. */
  readonly dayFirst?: true;
  /** The regional registry that runs it. */
  readonly registry?: string;
}

/** What is known of a server; of most there is nothing to know. */
export function habitsOf(server: string): ServerHabits {
  return HABITS.get(server) ?? {};
}

/** The line to send, made of nothing but the server's words and a checked target. */
export function queryFor(server: string, target: WhoisTarget): string {
  const habits = habitsOf(server);
  switch (target.kind) {
    case 'domain':
      return fill(habits.domain ?? '{}', target.name);
    case 'asn':
      return fill(habits.asn ?? 'AS{}', String(target.asn));
    case 'ip':
      if (target.length === undefined) return fill(habits.address ?? '{}', target.ip);
      return fill(habits.prefix ?? '{}', `${target.ip}/${target.length}`);
  }
}

/** RPSL servers send personal objects along unless they are told not to, and count them. */
const RPSL = { address: '-r {}', prefix: '-r {}', asn: '-r AS{}' } as const;
const JST = 9 * 60;
const CST = 8 * 60;
const LATIN_1 = 'iso-8859-1';

const HABITS: ReadonlyMap<string, ServerHabits> = new Map<string, ServerHabits>([
  ['whois.denic.de', { domain: '-T dn,ace {}' }],
  ['whois.verisign-grs.com', { domain: 'domain {}' }],
  ['whois.crsnic.net', { domain: 'domain {}' }],
  ['whois.jprs.jp', { domain: '{}/e', charset: 'iso-2022-jp', utcOffset: JST }],
  ['whois.nic.ad.jp', { address: '{}/e', prefix: '{}/e', charset: 'iso-2022-jp', utcOffset: JST }],
  [
    'whois.arin.net',
    { address: 'n + {}', prefix: 'r + = {}', prefixIsExact: true, asn: 'a {}', registry: 'ARIN' },
  ],
  ['whois.ripe.net', { ...RPSL, registry: 'RIPE' }],
  ['whois.apnic.net', { ...RPSL, charset: LATIN_1, registry: 'APNIC' }],
  ['whois.afrinic.net', { ...RPSL, registry: 'AFRINIC' }],
  ['whois.lacnic.net', { charset: LATIN_1, registry: 'LACNIC' }],
  ['whois.registro.br', { charset: LATIN_1, registry: 'LACNIC' }],
  ['whois.punktum.dk', { domain: '--show-handles {}' }],
  ['whois.dk-hostmaster.dk', { domain: '--show-handles {}' }],
  ['whois.cnnic.cn', { utcOffset: CST }],
  ['whois.fi', { charset: LATIN_1, dayFirst: true }],
  ['whois.nic.hu', { charset: LATIN_1 }],
  ['whois.isnic.is', { charset: LATIN_1 }],
  ['whois.dns.lu', { charset: LATIN_1, dayFirst: true }],
  ['whois.norid.no', { charset: LATIN_1 }],
  ['whois.kg', { charset: 'windows-1251' }],
  ['whois.dns.pt', { dayFirst: true }],
  ['whois.isoc.org.il', { dayFirst: true }],
]);

function fill(template: string, asked: string): string {
  return template.replace('{}', () => asked);
}
