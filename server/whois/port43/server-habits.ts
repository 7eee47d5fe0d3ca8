import type { WhoisTarget } from '../whois-record.js';

/** How a server differs from the default, as generally known. An outdated entry only leads to a worse query. */
export interface ServerHabits {
  /** Query templates. `{}` stands for a name, an address, a prefix or an AS number. */
  readonly domain?: string;
  readonly address?: string;
  readonly prefix?: string;
  readonly asn?: string;
  /** Finds a prefix only as it was allocated, not a part of it. */
  readonly prefixIsExact?: true;
  /** Charset of text that is not UTF-8, as a label for TextDecoder. */
  readonly charset?: string;
  /** Offset of times without a zone, minutes east of UTC. */
  readonly utcOffset?: number;
  /** Writes numeric dates with the day first: `02.01.2026`. */
  readonly dayFirst?: true;
  /** The RIR that runs the server. */
  readonly rir?: string;
}

/** Returns what is known about a server. Most servers follow the defaults. */
export function habitsOf(server: string): ServerHabits {
  return HABITS.get(server) ?? {};
}

/** Returns the query to send. It consists only of the server's template and a validated target. */
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

/** Without `-r`, RPSL servers include personal objects in the reply and count them towards a limit. */
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
    { address: 'n + {}', prefix: 'r + = {}', prefixIsExact: true, asn: 'a {}', rir: 'ARIN' },
  ],
  ['whois.ripe.net', { ...RPSL, rir: 'RIPE' }],
  ['whois.apnic.net', { ...RPSL, charset: LATIN_1, rir: 'APNIC' }],
  ['whois.afrinic.net', { ...RPSL, rir: 'AFRINIC' }],
  ['whois.lacnic.net', { charset: LATIN_1, rir: 'LACNIC' }],
  ['whois.registro.br', { charset: LATIN_1, rir: 'LACNIC' }],
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
