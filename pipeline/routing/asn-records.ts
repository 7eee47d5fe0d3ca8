import { map } from '../mmdb/schema.js';
import { present } from '../mmdb/present.js';
import { domainsByAsn, OBSERVERS } from '../registry/observed-ases.js';
import type { PeeringDb } from '../registry/registries.js';
import { announcingAses } from './announcing-ases.js';
import { domainOfWebsite } from './asn-domain.js';
import type { AsSource, NetworkDirectory, RoutingDataset, RoutingParts } from './parts.js';

/** The record schema of `asn.mmdb`: the keys of GeoLite2 ASN, and additional `as_…` keys. */
export const ASN_SCHEMA = map({
  autonomous_system_number: 'uint32',
  autonomous_system_organization: 'string',
  as_name: 'string',
  as_domain: 'string',
  as_country: 'string',
  as_source: 'string',
});

/** A record of `asn.mmdb`. */
export interface AsnRecord {
  readonly autonomous_system_number: number;
  /** The organisation that holds the AS, else the AS name. */
  readonly autonomous_system_organization?: string;
  readonly as_name?: string;
  readonly as_domain?: string;
  /** ISO 3166-1 alpha-2. */
  readonly as_country?: string;
  /** The publisher that observed the AS; absent when a route gives it. */
  readonly as_source?: Exclude<AsSource, 'routes'>;
}

/** `asn.mmdb`, and the source of the AS of each record. */
export interface AsnDataset extends RoutingDataset {
  readonly sources: readonly AsSource[];
}

/**
 * Returns `asn.mmdb`: for every address the AS that announces the longest route. Where no route covers an address, and
 * where the longest route has no known origin, it is the AS that a publisher observed there. The origin of a covering
 * route is never used.
 */
export function asnDataset(parts: RoutingParts, directory: NetworkDirectory): AsnDataset {
  const { table, asns, sources } = announcingAses(parts.routes, parts.observed);
  const domains = new Map([...domainsByAsn(parts.observed), ...domainsOf(parts.peeringDb)]);
  const recordOf = (asn: number, source: AsSource): AsnRecord => {
    const { name, entity = name, country } = directory.identityOf(asn);
    return present({
      autonomous_system_number: asn,
      autonomous_system_organization: entity,
      as_name: name,
      as_domain: domains.get(asn),
      as_country: country,
      as_source: OBSERVERS.find((observer) => observer === source),
    });
  };
  return {
    table,
    records: {
      length: asns.length,
      at: (id) => {
        const asn = asns[id];
        return asn === undefined ? undefined : recordOf(asn, sources[id]!);
      },
    },
    sources,
    schema: ASN_SCHEMA,
    databaseType: 'ipatlas-ASN (compat=GeoLite2-ASN)',
    description: { en: 'ipatlas: the autonomous systems that announce addresses' },
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
