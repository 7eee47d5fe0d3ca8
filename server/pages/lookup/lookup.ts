import { z } from 'zod';
import { html, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import type { Language } from '../../../pipeline/record/language.js';
import { parseCidr } from '../../bgp/find-route.js';
import type { Answer } from '../../http/answer.js';
import type { Route } from '../../http/route.js';
import { addressOfHost } from '../../lookup/resolve-target.js';
import type { Parts } from '../../parts.js';
import type { Snapshot } from '../../release/snapshot.js';
import { publicName } from '../../targets/public-name.js';
import { parseTargetAddress, type TargetAddress } from '../../targets/target.js';
import type { WhoisTarget } from '../../whois/whois-record.js';
import { isUnregistrable, parseWhoisTarget } from '../../whois/whois-target.js';
import type { Assets } from '../assets.js';
import { definePage } from '../define-page.js';
import { PageFailure } from '../page-failure.js';
import { liveParts, type LivePart } from '../live-parts.js';
import { streamPage } from '../stream-page.js';
import { asSummary } from './as-page.js';
import { addressSections } from './findings.js';
import { lookupPath } from './links.js';
import { dnsSection, reasonOf, registrationSection, reverseSection } from './live-sections.js';
import { prefixSummary } from './prefix-page.js';
import { LOOKUP_WORDS } from './words.js';

/** What the page is made from. */
export interface LookupParts extends Pick<
  Parts,
  'records' | 'reserved' | 'reverseDns' | 'dns' | 'whois' | 'resolver'
> {
  readonly assets: Assets;
}

/** GET /lookup/{target}: an address, a prefix, an AS number or a host name */
export const lookup = (parts: LookupParts): Route =>
  definePage({
    // A raw slash in a prefix splits it into two path segments.
    paths: ['/lookup/:target', '/lookup/:target/:length'],
    name: 'lookupPage',
    params: z.object({ target: z.string(), length: z.string().exactOptional() }),
    answer({ params, language, snapshot }) {
      const text = (params.length === undefined ? params.target : `${params.target}/${params.length}`).trim();
      const target = parseWhoisTarget(text, parts.reserved);
      if (!target) throw new PageFailure(400, LOOKUP_WORDS[language].invalidTarget(text));
      const shown = { target, text, language, snapshot };
      return () => Promise.resolve(answerOf(parts, shown));
    },
  });

interface Shown {
  readonly target: WhoisTarget;
  /** The target as it was written. */
  readonly text: string;
  readonly language: Language;
  readonly snapshot: Snapshot;
}

function answerOf(parts: LookupParts, shown: Shown): Answer {
  const { text, language } = shown;
  const { title, first, later } = sectionsOf(parts, shown);
  return streamPage(parts.assets, {
    title,
    language,
    path: lookupPath(text),
    first,
    later: liveParts(later),
  });
}

/** The parts of a page. */
interface Sections {
  readonly title: string;
  readonly first: Markup;
  readonly later: readonly LivePart[];
}

function sectionsOf(parts: LookupParts, shown: Shown): Sections {
  const { target, text, language, snapshot } = shown;
  if (target.kind === 'domain') {
    const name = publicName(text, parts.reserved) ?? target.name;
    const address = livePart('address', hostSections(parts, name, shown), language);
    const dns = livePart('dns', dnsSection(parts, name, language), language);
    return {
      title: name,
      first: nameHeading(name, language),
      later: [address, dns, registration(parts, shown)],
    };
  }
  if (target.kind === 'asn') {
    const first = asSummary(target.asn, snapshot, language);
    return { title: `AS${target.asn}`, first, later: [registration(parts, shown)] };
  }
  const prefix = parseCidr(text);
  if (prefix === undefined) return addressPage(parts, parseTargetAddress(text)!, shown);
  const isReserved = isUnregistrable(target, parts.reserved);
  const first = prefixSummary({ prefix, isReserved, snapshot, language });
  return { title: text, first, later: [registration(parts, shown)] };
}

function addressPage(parts: LookupParts, address: TargetAddress, shown: Shown): Sections {
  const { ip, version } = address;
  const first = addressSections(parts, address, { ...shown, heading: `IPv${version}` });
  if (parts.reserved.has(ip)) return { title: ip, first, later: [] };
  const reverse = livePart('reverse', reverseSection(parts, ip, shown.language), shown.language);
  return { title: ip, first, later: [reverse, registration(parts, shown)] };
}

function registration(parts: LookupParts, { target, language }: Shown): LivePart {
  return livePart('registration', registrationSection(parts, target, language), language);
}

function livePart(
  place: 'address' | 'reverse' | 'dns' | 'registration',
  markup: Promise<Markup>,
  language: Language,
): LivePart {
  const words = LOOKUP_WORDS[language];
  return { place, waiting: words.waiting(words[place]), markup };
}

function nameHeading(name: string, language: Language): Markup {
  return html`<section aria-labelledby="name">
    <p class="kicker">${LOOKUP_WORDS[language].name}</p>
    <h1 class="address" id="name">${name}</h1>
  </section> `;
}

/** Renders the address of a name, when it has arrived. */
async function hostSections(
  parts: LookupParts,
  name: string,
  { language, snapshot }: Pick<Shown, 'language' | 'snapshot'>,
): Promise<Markup> {
  const words = LOOKUP_WORDS[language];
  const heading = words.addressOf(name);
  try {
    const address = await addressOfHost(name, parts.resolver);
    if (address) return addressSections(parts, address, { snapshot, language, heading, isPart: true });
    return renderSection({ id: 'address', title: heading, body: html`<p>${words.noAddress}</p>` });
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return renderSection({ id: 'address', title: heading, body: html`<p>${words.noAnswer[reason]}</p>` });
  }
}
