import { present } from '../mmdb/present.js';
import { map } from '../mmdb/schema.js';
import type { RecordList } from '../mmdb/write.js';
import type { PeeringDb } from '../registry/registries.js';
import { ABSENT, zip } from '../table/zip.js';
import { domainOfWebsite } from './asn-domain.js';
import type { NetworkDirectory, RoutingDataset, RoutingParts } from './parts.js';
import { primaryOrigin, routeNetworks } from './route-networks.js';

/** The record schema of `asn.mmdb`: the keys of GeoLite2 ASN, and additional `as_…` keys. */
export const ASN_SCHEMA = map({
  autonomous_system_number: 'uint32',
  autonomous_system_organization: 'string',
  as_name: 'string',
  as_domain: 'string',
  as_country: 'string',
});

/** A record of `asn.mmdb`. */
export interface AsnRecord {
  readonly autonomous_system_number: number;
  /** The organisation that holds the AS, or the AS name if no organisation is known. */
  readonly autonomous_system_organization?: string;
  readonly as_name?: string;
  readonly as_domain?: string;
  /** ISO 3166-1 alpha-2. */
  readonly as_country?: string;
}

/** The edition of the dataset. */
export interface AsnEdition {
  /** Whether records have domains. They come from PeeringDB, whose terms restrict redistribution. */
  readonly withDomains: boolean;
}

/**
 * Returns `asn.mmdb`: for every address the AS that announces the longest route. Addresses of a route without an origin
 * have no record, even if a covering route has an origin.
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
  return present({
    autonomous_system_number: asn,
    autonomous_system_organization: entity,
    as_name: name,
    as_domain: domain,
    as_country: country,
  });
}

function domainsOf(peeringDb: PeeringDb | undefined): ReadonlyMap<number, string> {
  const domains = new Map<number, string>();
  for (const { asn, website } of peeringDb?.networks ?? []) {
    const domain = website === undefined ? undefined : domainOfWebsite(website);
    if (domain !== undefined) domains.set(asn, domain);
  }
  return domains;
}
