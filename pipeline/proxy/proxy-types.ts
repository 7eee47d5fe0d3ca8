/** What it means that an address is of a type. */
export interface ProxyType {
  /** Whether somebody else may be behind the address. */
  readonly isProxy: boolean;
  /** Names its users or their company rather than hiding them: counts as a proxy only where the policy says so. */
  readonly isRelay?: true;
  /** Days after which a list's word is believed no more: addresses are handed on to others. */
  readonly maxAgeDays?: number;
}

/**
 * Types as IP2Proxy names them (https://www.ip2location.com/database/ip2proxy); the publisher's own libraries tell
 * data centres and search engines from proxies too. The set is open: a type that does not stand here makes no proxy.
 */
export const PROXY_TYPES: ReadonlyMap<string, ProxyType> = new Map<string, ProxyType>([
  // Exit or server of a VPN.
  ['VPN', { isProxy: true, maxAgeDays: 30 }],
  // Tor exit.
  ['TOR', { isProxy: true, maxAgeDays: 2 }],
  // Open proxy.
  ['PUB', { isProxy: true, maxAgeDays: 30 }],
  // Web page that fetches others.
  ['WEB', { isProxy: true }],
  // Subscriber whose line is lent out.
  ['RES', { isProxy: true, maxAgeDays: 30 }],
  // Relay of a consumer's device or browser.
  ['CPN', { isProxy: true, isRelay: true }],
  // Gateway of an enterprise.
  ['EPN', { isProxy: true, isRelay: true }],
  // Data centre.
  ['DCH', { isProxy: false }],
  // Crawler of a search engine.
  ['SES', { isProxy: false }],
  // Crawler of an artificial intelligence.
  ['AIC', { isProxy: false }],
]);
