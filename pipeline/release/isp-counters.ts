/** Names in the manifest of the ISP counters that other rooms read. */
export const ISP_COUNTERS = {
  /** Space of proxies: `is_anonymous`. */
  proxyNetworks: 'proxies.networks',
  proxyIpv4: 'proxies.ipv4Addresses',
  proxyIpv6: 'proxies.ipv6Slash64s',
  cloudNetworks: 'clouds.networks',
  cloudIpv4: 'clouds.ipv4Addresses',
  cloudIpv6: 'clouds.ipv6Slash64s',
} as const;

/**
 * `<this><TYPE>.<figure>`: networks, ipv4Addresses and ipv6Slash64s of each type, including types that are not proxies.
 */
export const PROXY_TYPES = 'types.';
/** `<this><provider>.<figure>`: the same for each cloud. */
export const CLOUD_PROVIDERS = 'providers.';

/** Counters of networks in which a listing was dropped, by reason. */
export const DROPPED_LISTINGS = /^lists\.[^.]+\.dropped\.(.+)$/;

/** Returns one figure of all counters under a prefix, by name. */
export function figuresUnder(
  counters: Readonly<Record<string, number>>,
  prefix: string,
  figure: 'networks' | 'ipv4Addresses' | 'ipv6Slash64s',
): Map<string, number> {
  const found = Object.entries(counters).flatMap(([name, count]): [string, number][] => {
    const isIt = name.startsWith(prefix) && name.endsWith(`.${figure}`);
    return isIt ? [[name.slice(prefix.length, -figure.length - 1), count]] : [];
  });
  return new Map(found);
}
