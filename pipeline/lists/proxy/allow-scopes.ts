import { PROXY_TYPES } from './proxy-types.js';

/** The scope of all lists. */
export const EVERY_LIST = '*';

/** The ids of lists whose claims an operator can disable for a prefix: the lists of proxies and threats. */
export const ALLOWABLE_LISTS: readonly string[] = [
  'ip2proxy',
  'tor',
  'x4bnet',
  'apple-relay',
  'crawlers',
  'mullvad',
  'nordvpn',
  'proton',
  'spamhaus',
  'open-proxies',
  'ipsum',
  'blocklist-de',
  'zscaler',
];

/** Whether a text is a scope: `*`, the id of a list, or a type. */
export function isAllowScope(scope: string): boolean {
  return scope === EVERY_LIST || ALLOWABLE_LISTS.includes(scope) || PROXY_TYPES.has(scope);
}

/**
 * Returns the scope for a text in any case, or undefined. `tor` is the list and `TOR` the type: the text is first
 * looked up as written, then in upper case, then in lower case.
 */
export function allowScopeOf(word: string): string | undefined {
  return [word, word.toUpperCase(), word.toLowerCase()].find(isAllowScope);
}
