import { map } from '../mmdb/schema.js';
import type { RecordList } from '../mmdb/write.js';
import type { PeeringDb } from '../registry/registries.js';
import { ABSENT, zip } from '../table/zip.js';
import { domainOfWebsite } from './asn-domain.js';
import type { NetworkDirectory, RoutingDataset, RoutingParts } from './parts.js';
import { primaryOrigin, routeNetworks } from './route-networks.js';

/** A record of `asn.mmdb`: the keys of GeoLite2 ASN, and `as_…` of our own. */
export const ASN_SCHEMA = map({
  autonomous_system_number: 'uint32',
  autonomous_system_organization: 'string',
  as_name: 'string',
  as_domain: 'string',
  as_country: 'string',
});

export interface AsnRecord {
  readonly autonomous_system_number: number;
  /** The registered entity; the network's name where none is known. */
  readonly autonomous_system_organization?: string;
  readonly as_name?: string;
  readonly as_domain?: string;
  /** ISO 3166-1 alpha-2. */
  readonly as_country?: string;
}

/** Which edition of the dataset. */
export interface AsnEdition {
  /** Domains are PeeringDB's, whose terms do not let everybody hand them on. */
  readonly withDomains: boolean;
}

/**
 * `asn.mmdb`: the AS that announces the longest route around every address. A route without an origin is left out; its
 * covering route does not speak for it.
 */
export function asnDataset(
  { routes, peeringDb }: RoutingParts,
  directory: NetworkDirectory,
  { withDomains }: AsnEdition,
): RoutingDataset {
  const asns: number[] = [];
  const positions = new Map<number, number>();
  const table = zip([routeNetworks(routes)], ([route]) => {
    const origin = primaryOrigin(routes, route!);
    if (origin === undefined) return ABSENT;
    const position = positions.get(origin) ?? asns.push(origin) - 1;
    positions.set(origin, position);
    return position;
  });
  const domains = withDomains ? domainsOf(peeringDb) : NO_DOMAINS;
  const records: RecordList = {
    length: asns.length,
    at: (id) => {
      const asn = asns[id];
      return asn === undefined ? undefined : recordOf(asn, directory, domains.get(asn));
    },
  };
  return {
    table,
    records,
    schema: ASN_SCHEMA,
    databaseType: 'ipatlas-ASN (compat=GeoLite2-ASN)',
    description: { en: 'ipatlas: the autonomous systems that announce addresses' },
  };
}

const NO_DOMAINS: ReadonlyMap<number, string> = new Map();

function recordOf(asn: number, directory: NetworkDirectory, domain: string | undefined): AsnRecord {
  const { name, entity = name, country } = directory.identityOf(asn);
  return {
    autonomous_system_number: asn,
    ...(entity !== undefined && { autonomous_system_organization: entity }),
    ...(name !== undefined && { as_name: name }),
    ...(domain !== undefined && { as_domain: domain }),
    ...(country !== undefined && { as_country: country }),
  };
}

function domainsOf(peeringDb: PeeringDb | undefined): ReadonlyMap<number, string> {
  const domains = new Map<number, string>();
  for (const { asn, website } of peeringDb?.networks ?? []) {
    const domain = website === undefined ? undefined : domainOfWebsite(website);
    if (domain !== undefined) domains.set(asn, domain);
  }
  return domains;
}
