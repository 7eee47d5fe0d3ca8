import { RIB } from '../bgp/rib-source.js';
import type { RoutingSource } from '../input/routing-source.js';
import { AS_NAMES } from '../registry/as-names.js';
import { DELEGATED } from '../registry/delegations.js';
import { GEOLITE2_ASN } from '../registry/geolite2-asn.js';
import { IANA } from '../registry/iana.js';
import { IPINFO_ASN } from '../registry/ipinfo-asn.js';
import { PEERINGDB } from '../registry/peeringdb.js';
import { RPKI } from '../registry/rpki.js';

/** Sources of routing and registry data and of observed ASes, in the order in which people read about them. */
export const ROUTING_SOURCES: readonly RoutingSource[] = [
  RIB,
  DELEGATED,
  IANA,
  AS_NAMES,
  RPKI,
  PEERINGDB,
  GEOLITE2_ASN,
  IPINFO_ASN,
];
