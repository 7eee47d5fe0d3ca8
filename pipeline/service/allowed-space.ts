import assert from 'node:assert';
import { ListClaimTable, type ListClaim } from '../lists/list-claim.js';
import { parsePrefix, type Prefix } from '../net/prefix.js';
import { EVERY_LIST } from '../proxy/allow-scopes.js';
import { AllowedPrefixes } from '../proxy/allowed-prefixes.js';
import type { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';

/** Space about which lists are known to be wrong. */
export interface AllowedSpace {
  readonly prefixes: readonly string[];
  /** `*`, a list's id or a type. */
  readonly scope: string;
  readonly reason: string;
  /** Where its operator says what it is. */
  readonly source: string;
}

/** Edges of content delivery networks do not stand here: their published lists say `isEdge` themselves. */
export const ALLOWED_SPACE: readonly AllowedSpace[] = [
  {
    prefixes: ['1.1.1.0/24', '1.0.0.0/24', '2606:4700:4700::/48'],
    scope: EVERY_LIST,
    reason: 'public resolver of Cloudflare and APNIC',
    source: 'https://developers.cloudflare.com/1.1.1.1/ip-addresses/',
  },
  {
    prefixes: ['8.8.8.0/24', '8.8.4.0/24', '2001:4860:4860::/48'],
    scope: EVERY_LIST,
    reason: 'public resolver of Google',
    source: 'https://developers.google.com/speed/public-dns/docs/using',
  },
  {
    prefixes: ['9.9.9.0/24', '149.112.112.0/24', '2620:fe::/48'],
    scope: EVERY_LIST,
    reason: 'public resolver of Quad9',
    source: 'https://quad9.net/service/service-addresses-and-features/',
  },
  {
    prefixes: ['208.67.222.0/24', '208.67.220.0/24', '2620:119:35::/48', '2620:119:53::/48'],
    scope: EVERY_LIST,
    reason: 'public resolver OpenDNS of Cisco',
    source: 'https://www.opendns.com/setupguide/',
  },
  {
    prefixes: ['1.2.3.4/32'],
    scope: EVERY_LIST,
    reason: 'stands for "some address" in examples, and so in lists made from them',
    source: 'https://www.potaroo.net/studies/1slash8/1slash8.html',
  },
];

/** The id under which what is allowed here stands beside the lists. */
export const BUILT_IN_ALLOW_LIST = 'built-in-allow-list';

/** What is allowed everywhere, as a table to be zipped like that of a list. */
export function builtInAllowList(): { readonly table: FlatTable; readonly claims: readonly ListClaim[] } {
  return allowList(ALLOWED_SPACE);
}

/** The table of some spaces: what holds for a prefix holds inside it too. */
export function allowList(spaces: readonly AllowedSpace[]): {
  readonly table: FlatTable;
  readonly claims: readonly ListClaim[];
} {
  const rows = spaces.flatMap(({ prefixes, scope }) =>
    prefixes.map((text) => ({ prefix: prefixOf(text), scope })),
  );
  const allowed = new AllowedPrefixes(rows);
  const claims = new ListClaimTable();
  const table = new PrefixTable();
  for (const { prefix } of rows) {
    const allow = allowed.covering(prefix).map(({ scope }) => scope);
    table.insert(prefix.address, prefix.length, claims.intern({ allow }));
  }
  return { table: table.flatten(), claims: claims.claims };
}

function prefixOf(text: string): Prefix {
  const prefix = parsePrefix(text);
  assert(prefix !== undefined, `${text} is no prefix`);
  return prefix;
}
