import { formatAddress } from '../../../pipeline/net/address.js';
import { formatPrefix, parsePrefix, type Prefix } from '../../../pipeline/net/prefix.js';
import { html, type Markup } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import { findRoute } from '../../bgp/find-route.js';
import type { RouteRecord } from '../../release/records.js';
import type { Snapshot } from '../../release/snapshot.js';
import { commaList, facts } from '../facts.js';
import { asLink, jsonLink, lookupLink } from './links.js';
import { rpkiMark, upstreamsOf } from './route-section.js';
import { LOOKUP_WORDS } from './words.js';

/** What a page about a prefix shows. */
export interface PrefixFindings {
  readonly prefix: Prefix;
  /** Whether all its addresses are reserved. */
  readonly isReserved: boolean;
  readonly snapshot: Snapshot;
  readonly language: Language;
}

/** Renders the route of a prefix, and the routes that cover it. */
export function prefixSummary({ prefix, isReserved, snapshot, language }: PrefixFindings): Markup {
  const words = LOOKUP_WORDS[language];
  const { facts: names } = words;
  const text = formatPrefix(prefix.address, prefix.length, prefix.family);
  const route = findRoute(snapshot, prefix);
  const covering = coveringOf(prefix, snapshot).map((one) => lookupLink(one, language));
  return html`<section aria-labelledby="prefix">
      <p class="kicker">${names.prefix}</p>
      <h1 class="address" id="prefix">${text}</h1>
      ${
        route === undefined &&
        html`<p class="lead">${isReserved ? words.reserved : words.noRouteOfPrefix}</p>`
      }
      ${facts([
        [names.origin, route?.origin !== undefined && asLink(route.origin, route.as_name, language)],
        [names.rpki, route?.rpki !== undefined && rpkiMark(route.rpki, language)],
        [names.upstreams, upstreamsOf(route, snapshot, language)],
        [names.line, route?.line],
        [names.covering, commaList(covering, language)],
      ])}
    </section>
    ${route !== undefined && jsonLink(`/api/prefix-upstreams?prefix=${text}`, language)}`;
}

/** Returns the announced prefixes that cover a prefix, the longest first. */
function coveringOf({ address, family, length }: Prefix, { routes }: Snapshot): string[] {
  const covering: string[] = [];
  let route: Partial<RouteRecord> | undefined = routes.get(formatAddress(address, family));
  for (; route?.prefix !== undefined; route = route.parent) {
    if (parsePrefix(route.prefix)!.length < length) covering.push(route.prefix);
  }
  return covering;
}
