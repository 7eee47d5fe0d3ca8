import { PROXY_TYPES } from './proxy-types.js';

/** The scope of what is allowed for every list. */
export const EVERY_LIST = '*';

/** Lists by id whose claims an operator can switch off for a prefix: those that name proxies or threats. */
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

/** Whether a word is a scope: `*`, a list's id or a type. */
export function isAllowScope(scope: string): boolean {
  return scope === EVERY_LIST || ALLOWABLE_LISTS.includes(scope) || PROXY_TYPES.has(scope);
}

/**
 * The scope that a person means, in upper or lower case; absent where it is none. `tor` is the list and `TOR` the type:
 * as it is written a word is looked for first, then among types.
 */
export function allowScopeOf(word: string): string | undefined {
  return [word, word.toUpperCase(), word.toLowerCase()].find(isAllowScope);
}
