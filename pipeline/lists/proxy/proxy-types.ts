/** The properties of a type. */
export interface ProxyType {
  /** Whether the traffic of the address comes from other hosts. */
  readonly isProxy: boolean;
  /** Set for relays that do not hide their users or their company. They are proxies only according to the policy. */
  readonly isRelay?: true;
  /** The days after which a claim of the type expires, because addresses change hands. */
  readonly maxAgeDays?: number;
}

/**
 * The types of IP2Proxy (https://www.ip2location.com/database/ip2proxy). Like the publisher's own libraries, data
 * centres and search engines are not proxies. The set is open: other types are not proxies.
 */
export const PROXY_TYPES: ReadonlyMap<string, ProxyType> = new Map<string, ProxyType>([
  // Exit or server of a VPN.
  ['VPN', { isProxy: true, maxAgeDays: 30 }],
  // Tor exit.
  ['TOR', { isProxy: true, maxAgeDays: 2 }],
  // Open proxy.
  ['PUB', { isProxy: true, maxAgeDays: 30 }],
  // Web page that fetches other pages.
  ['WEB', { isProxy: true }],
  // Proxy on a subscriber's line.
  ['RES', { isProxy: true, maxAgeDays: 30 }],
  // Relay of a consumer's device or browser.
  ['CPN', { isProxy: true, isRelay: true }],
  // Gateway of an enterprise.
  ['EPN', { isProxy: true, isRelay: true }],
  // Data centre.
  ['DCH', { isProxy: false }],
  // Crawler of a search engine.
  ['SES', { isProxy: false }],
  // Crawler of a language model.
  ['AIC', { isProxy: false }],
]);
