/**
 * Returns the built-in whois server of a domain's longest known suffix. Used for top-level domains without a server at
 * IANA, and when IANA does not answer. An entry at IANA takes precedence.
 */
export function knownServerOf(name: string): string | undefined {
  const labels = name.split('.');
  for (let i = 1; i < labels.length; i++) {
    const server = KNOWN_SERVERS[labels.slice(i).join('.')];
    if (server !== undefined) return server;
  }
  return undefined;
}

/** Fallback for addresses and AS numbers: ARIN refers to the responsible RIR for each of them. */
export const FALLBACK_NETWORK_SERVER = 'whois.arin.net';

const VERISIGN = 'whois.verisign-grs.com';

const KNOWN_SERVERS: Readonly<Record<string, string>> = {
  com: VERISIGN,
  net: VERISIGN,
  org: 'whois.publicinterestregistry.org',
  at: 'whois.nic.at',
  be: 'whois.dns.be',
  br: 'whois.registro.br',
  ca: 'whois.ca.fury.ca',
  cn: 'whois.cnnic.cn',
  cz: 'whois.nic.cz',
  de: 'whois.denic.de',
  dk: 'whois.punktum.dk',
  eu: 'whois.eu',
  fi: 'whois.fi',
  fr: 'whois.nic.fr',
  it: 'whois.nic.it',
  jp: 'whois.jprs.jp',
  kr: 'whois.kr',
  nl: 'whois.domain-registry.nl',
  no: 'whois.norid.no',
  pl: 'whois.dns.pl',
  ru: 'whois.tcinet.ru',
  se: 'whois.iis.se',
  su: 'whois.tcinet.ru',
  tw: 'whois.twnic.net.tw',
  ua: 'whois.ua',
  uk: 'whois.nic.uk',
  'ac.uk': 'whois.nic.ac.uk',
  'gov.uk': 'whois.gov.uk',
};
