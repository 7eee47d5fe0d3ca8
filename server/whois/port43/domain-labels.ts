/** What a field of a domain record contains. */
export type DomainPart =
  'name' | 'registrar' | 'created' | 'expires' | 'updated' | 'nameserver' | 'status' | 'dnssec' | 'key';

/**
 * Returns what a field contains, or undefined. In a section, a label counts with its section's name (`registrar/name`),
 * except in sections that describe the domain itself.
 */
export function partOf(label: string, section: string): DomainPart | undefined {
  if (section === '' || DOMAIN_SECTIONS.has(section)) return PARTS.get(label);
  return PARTS.get(`${section}/${label}`) ?? (HOST_LABELS.has(label) ? 'nameserver' : undefined);
}

/** Labels of the holder. Organisations come before persons. */
export const REGISTRANT_LABELS = [
  'registrant organization',
  'registrant organisation',
  'registrant contact organisation',
  'registrant/organization',
  'registrant/organisation',
  'organization',
  'registrant',
  'holder',
  'domain holder',
  'owner',
  'org',
  'registrant name',
  'registrant contact name',
  'registrant/name',
  'registrant/holder',
  'owner name',
  'holder-c',
  'person',
] as const;

const DOMAIN_SECTIONS: ReadonlySet<string> = new Set([
  'relevant dates',
  'domain information',
  'additional info',
  'domain',
  'dates',
  'important dates',
]);

/** Labels of name servers in any section. */
const HOST_LABELS: ReadonlySet<string> = new Set(['host name', 'hostname', 'dns', 'name server', 'nserver']);

// prettier-ignore
const LABELS: Readonly<Record<DomainPart, readonly string[]>> = {
  name: ['domain name', 'domain', 'complete domain name'],
  registrar: [
  'registrar', 'registrar name', 'sponsoring registrar', 'current registrar', 'authorized agency',
  'registrar/name', 'registrar/organization', 'registrar/organisation', 'registrar/registrar',
  'registrar organization', 'registration service provider', 'provider',
  ],
  created: [
  'creation date', 'created', 'created on', 'created date', 'create date', 'record created',
  'registered', 'registered on', 'registered date', 'registration date', 'registration time',
  'domain registration date', 'first registration date', 'domain name commencement date',
  'domain record activated', 'activation date', 'domain created', 'domain_dateregistered',
  ],
  expires: [
  'registry expiry date', 'registrar registration expiration date', 'expiry date', 'expire date',
  'expiration date', 'expiration time', 'expires', 'expires on', 'expire', 'expiry', 'paid-till',
  'renewal date', 'record expires on', 'domain expiration date', 'domain expires', 'validity', 'exp date',
  ],
  updated: [
  'updated date', 'updated', 'updated on', 'update date', 'last modified', 'last-modified', 'modified',
  'last update', 'last-update', 'last updated', 'last updated on', 'last updated date', 'changed',
  'modification date', 'domain record last updated', 'last changed',
  ],
  nameserver: [
  'name server', 'nameserver', 'nserver', 'name servers', 'nameservers', 'domain nameservers',
  'domain servers', 'domain servers in listed order', 'name servers information', 'host name', 'hostname',
  'dns servers', 'nameserver information', 'name server information', 'domain name servers',
  ],
  status: ['domain status', 'status', 'state', 'eppstatus', 'registration status', 'domain state'],
  dnssec: ['dnssec', 'signed', 'dnssec signed', 'registrar/dnssec'],
  key: ['ds', 'ds-rdata', 'dsrecord', 'ds record', 'dnskey', 'keyset', 'signing key', 'dnssec ds data'],
};

const PARTS: ReadonlyMap<string, DomainPart> = new Map(
  Object.entries(LABELS).flatMap(([part, labels]) => labels.map((label) => [label, part as DomainPart])),
);
