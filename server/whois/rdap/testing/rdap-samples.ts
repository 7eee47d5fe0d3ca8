/** Builds a contact card (RFC 7095) with a name and optionally an organisation, possibly in parts. */
export function card(fn: string, org?: string | readonly string[]): readonly unknown[] {
  const rows: unknown[] = [
    ['version', {}, 'text', '4.0'],
    ['fn', {}, 'text', fn],
  ];
  if (org !== undefined) rows.push(['org', { type: 'work' }, 'text', org]);
  return ['vcard', rows];
}

/**
 * A domain in the answer of a thin domain registry: no holder, and a link to the registrar (modelled on Verisign's).
 */
export const THIN_DOMAIN = {
  objectClassName: 'domain',
  handle: '2336799_DOMAIN_COM-VRSN',
  ldhName: 'EXAMPLE.COM',
  links: [
    { value: '', rel: 'self', href: 'https://registry/domain/EXAMPLE.COM', type: 'application/rdap+json' },
    { rel: 'related', href: 'https://registrar/rdap/domain/EXAMPLE.COM', type: 'application/rdap+json' },
  ],
  status: ['client delete prohibited', 'client transfer prohibited', 'client update prohibited'],
  entities: [
    {
      objectClassName: 'entity',
      handle: '376',
      roles: ['registrar'],
      publicIds: [{ type: 'IANA Registrar ID', identifier: '376' }],
      vcardArray: card('RESERVED-Internet Assigned Numbers Authority'),
      entities: [{ objectClassName: 'entity', roles: ['abuse'], vcardArray: card('') }],
    },
  ],
  events: [
    { eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' },
    { eventAction: 'expiration', eventDate: '2027-08-13T04:00:00Z' },
    { eventAction: 'last changed', eventDate: '2026-08-14T07:01:39Z' },
    { eventAction: 'last update of RDAP database', eventDate: '2026-11-21T10:00:00Z' },
  ],
  secureDNS: {
    delegationSigned: true,
    dsData: [{ keyTag: 370, algorithm: 13, digestType: 2, digest: 'BE74' }],
  },
  nameservers: [
    { objectClassName: 'nameserver', ldhName: 'A.IANA-SERVERS.NET' },
    { objectClassName: 'nameserver', ldhName: 'B.IANA-SERVERS.NET.' },
  ],
  rdapConformance: ['rdap_level_0', 'icann_rdap_response_profile_1'],
} as const;

/** The same domain in the registrar's answer. */
export const REGISTRAR_DOMAIN = {
  objectClassName: 'domain',
  ldhName: 'example.com',
  status: ['active'],
  entities: [
    { objectClassName: 'entity', roles: ['registrant'], vcardArray: card('Jo Doe', ['Example Org', 'Unit']) },
  ],
  events: [{ eventAction: 'expiration', eventDate: '2031-01-01T00:00:00Z' }],
} as const;

/** An IDN with a redacted holder (RFC 9537) and the registrar nested in another entity. */
export const REDACTED_IDN = {
  objectClassName: 'domain',
  ldhName: 'xn--bcher-kva.example.net',
  unicodeName: 'bücher.example.net',
  status: ['active', 'auto renew period', 'clientHold', 'active', '', 7, 'Nonsense!'],
  entities: [
    {
      roles: ['technical'],
      entities: [
        { roles: ['Registrar'], vcardArray: ['vcard', [['org', {}, 'text', ['', 'Registrar AG']]]] },
      ],
    },
    { roles: ['registrant'], vcardArray: card('', 'Secret Org') },
  ],
  redacted: [
    { name: { description: 'Registrant Name' }, method: 'emptyValue' },
    { name: { type: 'Registrant Organization' }, method: 'removal' },
  ],
  events: [
    { eventAction: 'registration', eventDate: 'yesterday' },
    { eventAction: 'registrar expiration', eventDate: '2026-12-01T01:30:00.123+02:00' },
  ],
  secureDNS: { delegationSigned: false },
} as const;

/** A network in an answer of RIPE NCC. */
export const RIPE_NETWORK = {
  objectClassName: 'ip network',
  handle: '193.0.0.0 - 193.0.7.255',
  startAddress: '193.0.0.0',
  endAddress: '193.0.7.255',
  ipVersion: 'v4',
  name: 'RIPE-NCC',
  status: ['active'],
  entities: [
    { handle: 'BRD-RIPE', roles: ['administrative', 'technical'] },
    {
      handle: 'ORG-RIEN1-RIPE',
      roles: ['registrant'],
      vcardArray: card('Reseaux IP Europeens Network Coordination Centre (RIPE NCC)'),
    },
  ],
  events: [
    { eventAction: 'registration', eventDate: '2003-03-17T12:15:57Z' },
    { eventAction: 'last changed', eventDate: '2017-12-04T14:42:31Z' },
  ],
  port43: 'whois.ripe.net',
} as const;

/** An AS in an answer of ARIN. */
export const ARIN_AUTNUM = {
  objectClassName: 'autnum',
  handle: 'AS15169',
  startAutnum: 15_169,
  endAutnum: 15_169,
  name: 'GOOGLE',
  entities: [{ handle: 'GOGL', roles: ['registrant'], vcardArray: card('Google LLC') }],
  events: [
    { eventAction: 'last changed', eventDate: '2012-02-24T09:44:34-05:00' },
    { eventAction: 'registration', eventDate: '2000-03-30T00:00:00-05:00' },
  ],
  status: ['active'],
  port43: 'whois.arin.net',
} as const;

/** A domain whose registry's answer is complete. */
export const WHOLE_DOMAIN = {
  ...THIN_DOMAIN,
  links: [],
  status: ['active', 'client transfer prohibited'],
} as const;

/** A network in an answer of APNIC. */
export const APNIC_NETWORK = {
  ...RIPE_NETWORK,
  handle: '1.1.1.0 - 1.1.1.255',
  startAddress: '1.1.1.0',
  endAddress: '1.1.1.255',
  name: 'APNIC-LABS',
  port43: 'whois.apnic.net',
} as const;
/** An AS in an answer of APNIC. */
export const APNIC_AUTNUM = {
  ...ARIN_AUTNUM,
  handle: 'AS13335',
  startAutnum: 13_335,
  endAutnum: 13_335,
  name: 'CLOUDFLARENET',
  port43: 'whois.apnic.net',
} as const;
