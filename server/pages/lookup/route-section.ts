import { html, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import type { Language } from '../../../pipeline/record/language.js';
import type { IpRecord } from '../../lookup/ip-record-schema.js';
import type { RouteRecord, RpkiState } from '../../release/records.js';
import type { Snapshot } from '../../release/snapshot.js';
import { facts } from '../facts.js';
import { asLink, lookupLink, shortList } from './links.js';
import { LOOKUP_WORDS } from './words.js';

/** Renders the route of an address. */
export function routeSection(
  { ip, bgp }: Pick<IpRecord, 'ip' | 'bgp'>,
  snapshot: Pick<Snapshot, 'networkOf' | 'routes'>,
  language: Language,
): Markup {
  const words = LOOKUP_WORDS[language];
  const { facts: names } = words;
  const source = bgp.as_source;
  const observer = source !== undefined && ` (${words.accordingTo(source)})`;
  const neighbours = bgp.peers.map(({ asn, name }) => asLink(asn, name, language));
  const exchanges = bgp.ix.map(({ name }) => html`${name}`);
  const body = facts([
    [names.prefix, bgp.prefix !== null && lookupLink(bgp.prefix, language)],
    [names.origin, bgp.as !== null && html`${asLink(bgp.as, bgp.as_name ?? undefined, language)}${observer}`],
    [names.rpki, bgp.rpki_status !== null && rpkiMark(bgp.rpki_status, language)],
    [names.upstreams, upstreamsOf(snapshot.routes.get(ip), snapshot, language)],
    [names.neighbours, shortList(neighbours, MOST_SHOWN, language)],
    [names.allocation, bgp.allocation !== null && `${bgp.allocation} ${bgp.allocation_cc ?? ''}`],
    [names.line, bgp.line],
    [names.exchanges, shortList(exchanges, MOST_SHOWN, language)],
  ]);
  return renderSection({
    id: 'route',
    title: words.route,
    body:
      bgp.prefix === null
        ? html`<p>${words.noRoute}</p>
            ${body}`
        : body,
  });
}

/** Lists the upstreams of a route with their names and numbers of paths; absent without any. */
export function upstreamsOf(
  route: Partial<RouteRecord> | undefined,
  { networkOf }: Pick<Snapshot, 'networkOf'>,
  language: Language,
): Markup | undefined {
  const words = LOOKUP_WORDS[language];
  const upstreams = (route?.upstreams ?? []).map(
    ({ asn, count }) => html`${asLink(asn, networkOf(asn)?.name, language)} (${words.paths(count)})`,
  );
  return shortList(upstreams, MOST_SHOWN, language);
}

/** Marks the result of route origin validation. */
export function rpkiMark(state: RpkiState, language: Language): Markup {
  const kind = { valid: 'good', invalid: 'bad', unknown: '' }[state];
  return html`<span class="mark ${kind}">${LOOKUP_WORDS[language].rpki[state]}</span>`;
}

const MOST_SHOWN = 12;
