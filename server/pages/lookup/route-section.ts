import { html, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import type { Language } from '../../../pipeline/record/language.js';
import type { BgpPart } from '../../lookup/ip-record-schema.js';
import type { RouteRecord, RpkiState } from '../../release/records.js';
import { commaList, facts } from '../facts.js';
import { asLink, lookupLink } from './links.js';
import { LOOKUP_WORDS } from './words.js';

/** Renders the route of an address. */
export function routeSection(
  bgp: BgpPart,
  route: Partial<RouteRecord> | undefined,
  language: Language,
): Markup {
  const words = LOOKUP_WORDS[language];
  const { facts: names } = words;
  const source = bgp.as_source;
  const body = facts([
    [names.prefix, bgp.prefix !== null && lookupLink(bgp.prefix, language)],
    [
      names.origin,
      bgp.as !== null &&
        html`${asLink(bgp.as, bgp.as_name ?? undefined, language)}${source !== undefined && ` (${words.observed(source)})`}`,
    ],
    [names.rpki, bgp.rpki_status !== null && rpkiMark(bgp.rpki_status, language)],
    [names.upstreams, upstreamsOf(route, language)],
    [
      names.neighbours,
      commaList(bgp.peers.slice(0, MOST_SHOWN).map(({ asn, name }) => asLink(asn, name, language))),
    ],
    [names.allocation, bgp.allocation !== null && `${bgp.allocation} ${bgp.allocation_cc ?? ''}`],
    [names.line, bgp.line],
    [
      names.exchanges,
      bgp.ix
        .slice(0, MOST_SHOWN)
        .map(({ name }) => name)
        .join(', '),
    ],
  ]);
  return renderSection({
    id: 'route',
    title: words.route,
    body:
      bgp.prefix === null && bgp.as === null
        ? html`<p>${words.noRoute}</p>
            ${body}`
        : body,
  });
}

/** Lists the upstreams of a route with their paths; absent without any. */
export function upstreamsOf(route: Partial<RouteRecord> | undefined, language: Language): Markup | undefined {
  const upstreams = route?.upstreams ?? [];
  return commaList(upstreams.map(({ asn, count }) => html`${lookupLink(`AS${asn}`, language)} (${count})`));
}

/** Marks the result of route origin validation. */
export function rpkiMark(state: RpkiState, language: Language): Markup {
  const kind = { valid: 'good', invalid: 'bad', unknown: '' }[state];
  return html`<span class="mark ${kind}">${LOOKUP_WORDS[language].rpki[state]}</span>`;
}

const MOST_SHOWN = 12;
