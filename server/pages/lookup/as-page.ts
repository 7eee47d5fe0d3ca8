import { html, type Markup } from '../../../pipeline/html/markup.js';
import { folded, renderSection } from '../../../pipeline/html/section.js';
import { CountryNames, type Language } from '../../../pipeline/record/language.js';
import { profileOf, type Profile } from '../../bgp/profile.js';
import { topologyOf, type Topology } from '../../bgp/topology.js';
import type { Snapshot } from '../../release/snapshot.js';
import { commaList, facts, LIST_COMMA } from '../facts.js';
import { PageFailure } from '../page-failure.js';
import { asLink, jsonLink, lookupLink, shortList } from './links.js';
import { LOOKUP_WORDS, type LookupWords } from './words.js';

const COUNTRIES = new CountryNames();

/** Renders the profile of an AS with its neighbours and prefixes. Throws Failure(404) for an unused number. */
export function asSummary(asn: number, snapshot: Snapshot, language: Language): Markup {
  const words = LOOKUP_WORDS[language];
  const network = snapshot.networkOf(asn);
  const profile = profileOf(asn, network);
  if (!profile) throw new PageFailure(404, words.noAs(asn));
  const { facts: names } = words;
  const topology = topologyOf(network);
  const prefixes = [...profile.ipv4_prefixes, ...profile.ipv6_prefixes];
  return html`<section aria-labelledby="as">
      <p class="kicker">${names.as}</p>
      <h1 class="address" id="as">AS${asn}</h1>
      <p class="lead">${profile.name}</p>
      ${facts([
        [names.organisation, profile.entity],
        [names.country, profile.cc !== '' && COUNTRIES.nameOf(profile.cc, language)],
        [names.registry, registration(profile, words)],
        [
          names.prefixes,
          profile.in_use
            ? `IPv4 ${profile.ipv4_prefix_count}, IPv6 ${profile.ipv6_prefix_count}`
            : words.notInUse,
        ],
        [names.exchanges, (network?.exchanges ?? []).map(({ name }) => name).join(LIST_COMMA[language])],
      ])}
    </section>
    ${topology && neighbours(topology, language)}
    ${
      prefixes.length > 0 &&
      renderSection({
        id: 'prefixes',
        title: words.prefixesOf(`AS${asn}`),
        body: prefixList(prefixes, words, language),
      })
    }
    ${jsonLink(`/api/as-profile/${asn}`, language)}`;
}

/** Returns the registry with the state of the number: `ARIN, assigned`. */
function registration({ registry, status }: Profile, { delegated }: LookupWords): string {
  const state = status === 'allocated' || status === 'assigned' ? delegated[status] : status;
  return [registry.toUpperCase(), state].filter((one) => one !== '').join(', ');
}

function neighbours(topology: Topology, language: Language): Markup {
  const { facts: names } = LOOKUP_WORDS[language];
  const list = (all: Topology['peers']): Markup | undefined =>
    shortList(
      all.map(({ asn, name }) => asLink(asn, name, language)),
      MOST_NEIGHBOURS,
      language,
    );
  return renderSection({
    id: 'neighbours',
    title: names.neighbours,
    body: facts([
      [names.providers, list(topology.upstreams)],
      [names.customers, list(topology.downstreams)],
      [names.peers, list(topology.peers)],
    ]),
  });
}

function prefixList(prefixes: readonly string[], words: LookupWords, language: Language): Markup {
  const links = (some: readonly string[]): Markup =>
    html`${commaList(
      some.map((one) => lookupLink(one, language)),
      language,
    )}`;
  const further = prefixes.slice(FIRST_PREFIXES, MOST_PREFIXES);
  const hidden = prefixes.length - MOST_PREFIXES;
  return html`<p>${links(prefixes.slice(0, FIRST_PREFIXES))}</p>
    ${
      further.length > 0 &&
      folded(
        words.more(prefixes.length - FIRST_PREFIXES),
        html`<p>${links(further)}${hidden > 0 && ` … ${words.more(hidden)}`}</p>`,
      )
    }`;
}

const MOST_NEIGHBOURS = 20;
const FIRST_PREFIXES = 40;
/** The API has all of them. */
const MOST_PREFIXES = 500;
