import { z } from 'zod';
import { html, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import type { Language } from '../../../pipeline/record/language.js';
import { parseCidr } from '../../bgp/find-route.js';
import { Failure } from '../../failure.js';
import type { Answer } from '../../http/answer.js';
import type { Route } from '../../http/route.js';
import { addressOfHost } from '../../lookup/resolve-target.js';
import type { Parts } from '../../parts.js';
import type { Snapshot } from '../../release/snapshot.js';
import { publicName } from '../../targets/public-name.js';
import { parseTargetAddress } from '../../targets/target.js';
import type { WhoisTarget } from '../../whois/whois-record.js';
import { parseWhoisTarget } from '../../whois/whois-target.js';
import type { Assets } from '../assets.js';
import { definePage } from '../define-page.js';
import { streamPage } from '../stream-page.js';
import { asSummary } from './as-page.js';
import { addressSections } from './findings.js';
import { lookupPath } from './links.js';
import { dnsSection, registrationSection, reverseSection } from './live-sections.js';
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
      if (!target)
        throw new Failure(
          400,
          `invalid target ${JSON.stringify(text)}: expected an IP address, a prefix, an AS number or a host name`,
        );
      const shown = { target, text, language, snapshot };
      return () => Promise.resolve(sectionsOf(parts, shown));
    },
  });

interface Shown {
  readonly target: WhoisTarget;
  /** The target as it was written. */
  readonly text: string;
  readonly language: Language;
  readonly snapshot: Snapshot;
}

function sectionsOf(parts: LookupParts, shown: Shown): Answer {
  const { target, text, language, snapshot } = shown;
  const send = (title: string, first: Markup, later: readonly Promise<Markup>[] = []): Answer =>
    streamPage(parts.assets, { title, language, path: lookupPath(text), first, later });
  const registration = (): Promise<Markup> => registrationSection(parts, target, language);
  switch (target.kind) {
    case 'asn':
      return send(`AS${target.asn}`, asSummary(target.asn, snapshot, language), [registration()]);
    case 'domain': {
      const name = publicName(text, parts.reserved) ?? target.name;
      const later = [hostSections(parts, name, shown), dnsSection(parts, name, language), registration()];
      return send(name, nameHeading(name, language), later);
    }
    case 'ip': {
      const prefix = target.length === undefined ? undefined : parseCidr(text);
      if (prefix) return send(text, prefixSummary(prefix, snapshot, language), [registration()]);
      const address = parseTargetAddress(text)!;
      const first = addressSections(parts, address, { ...shown, heading: `IPv${address.version}` });
      if (parts.reserved.has(address.ip)) return send(address.ip, first);
      return send(address.ip, first, [reverseSection(parts, address.ip, language), registration()]);
    }
  }
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
    if (!(error instanceof Failure)) throw error;
    return renderSection({ id: 'address', title: heading, body: html`<p>${words.noAnswer}</p>` });
  }
}
