import assert from 'node:assert';
import { ListClaimTable, type ListClaim } from '../lists/list-claim.js';
import { parsePrefix, type Prefix } from '../net/prefix.js';
import { EVERY_LIST } from '../lists/proxy/allow-scopes.js';
import { AllowedPrefixes } from '../lists/proxy/allowed-prefixes.js';
import type { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';

/** Space with known errors in lists. */
export interface AllowedSpace {
  readonly prefixes: readonly string[];
  /** The claims to ignore there: `*` for every list, the id of a list, or a type. */
  readonly scope: string;
  readonly reason: string;
  /** Page on which the operator describes it. */
  readonly source: string;
}

/** Edges of content delivery networks are not in the table: their own lists carry `isEdge`. */
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
    reason: 'placeholder in examples, copied into lists',
    source: 'https://www.potaroo.net/studies/1slash8/1slash8.html',
  },
];

/** Id of this table among the lists. */
export const BUILT_IN_ALLOW_LIST = 'built-in-allow-list';

/** Returns the built-in allow-list as a table of claims, like that of a list. */
export function builtInAllowList(): { readonly table: FlatTable; readonly claims: readonly ListClaim[] } {
  return allowList(ALLOWED_SPACE);
}

/** Returns a table of claims that allow these spaces. An allowance of a prefix applies to every prefix inside it. */
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
  assert(prefix !== undefined, `invalid prefix "${text}" in the built-in allow-list`);
  return prefix;
}
