/** Names in the manifest of the counters of `geo.mmdb`: space that registries list as available or reserved. */
export const GEO_COUNTERS = {
  /** Without a country. */
  freeIpv4: 'free.withoutCountry.ipv4Addresses',
  freeIpv6: 'free.withoutCountry.ipv6Slash64s',
  /** With a country, because a claim shows that it is used. */
  usedIpv4: 'free.inUse.ipv4Addresses',
  usedIpv6: 'free.inUse.ipv6Slash64s',
} as const;

/** `<this><feed>`: networks of a feed in such space whose claims were dropped. */
export const DROPPED_CLAIMS = 'free.droppedNetworks.';

/**
 * Part of the keys of `geo.mmdb` and its parts; raise it with every change to what is counted: agreement of feeds, free
 * space, coverage. Otherwise unchanged inputs would keep the figures of the older code.
 */
export const GEO_COUNTERS_VERSION = 1;
