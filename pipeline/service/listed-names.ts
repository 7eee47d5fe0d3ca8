import { inOrder } from './hit-order.js';
import { isExpired } from './screen-hits.js';
import type { Hit } from './service.js';

/** Whom lists name for the address itself. Absent is unknown. */
export interface ListedNames {
  readonly isp?: string;
  readonly domain?: string;
  /** Carrier of China by its id in the table of carriers. */
  readonly carrier?: string;
}

/**
 * The names of what lists say about an address, of each kind the first in the order of the lists' ids; of words that do
 * not count too, unless they are too old. Surroundings have no part in it, and hits none in each other's names.
 */
export function listedNames(hits: readonly Hit[]): ListedNames {
  const names: { -readonly [Field in keyof ListedNames]: ListedNames[Field] } = {};
  for (const hit of inOrder(hits)) {
    if (isExpired(hit)) continue;
    const { isp, domain, carrier } = hit.claim;
    if (isp !== undefined) names.isp ??= isp;
    if (domain !== undefined) names.domain ??= domain;
    if (carrier !== undefined) names.carrier ??= carrier;
  }
  return names;
}
