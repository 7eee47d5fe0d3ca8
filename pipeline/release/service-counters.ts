/** Counters of the ISP dataset that others than their maker read, by their names in the manifest. */
export const SERVICE_COUNTERS = {
  /** Space of what hides somebody: `is_anonymous`. */
  proxyNetworks: 'proxies.networks',
  proxyIpv4: 'proxies.ipv4Addresses',
  proxyIpv6: 'proxies.ipv6Slash64s',
  cloudNetworks: 'clouds.networks',
  cloudIpv4: 'clouds.ipv4Addresses',
  cloudIpv6: 'clouds.ipv6Slash64s',
} as const;

/** `<this><TYPE>.<figure>`: networks, ipv4Addresses and ipv6Slash64s of each type, also of those that are no proxies. */
export const PROXY_TYPES = 'types.';
/** `<this><provider>.<figure>`: the same of each cloud. */
export const CLOUD_PROVIDERS = 'providers.';

/** Networks in which the word of a list did not count, by reason. */
export const DROPPED_HITS = /^lists\.[^.]+\.dropped\.(.+)$/;

/** One figure of everything that counters tell under a prefix, by name. */
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
