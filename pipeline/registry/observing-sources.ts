import type { RoutingSource } from '../input/routing-source.js';
import { GEOLITE2_ASN } from './geolite2-asn.js';
import { IPINFO_ASN } from './ipinfo-asn.js';
import type { Observer } from './observed-ases.js';

/** The source of each publisher of observed ASes. */
export const OBSERVING_SOURCES: Readonly<Record<Observer, RoutingSource>> = {
  geolite2: GEOLITE2_ASN,
  ipinfo: IPINFO_ASN,
};

/** The ids of the sources of observed ASes. */
export const OBSERVING_IDS: readonly string[] = Object.values(OBSERVING_SOURCES).map(({ id }) => id);
