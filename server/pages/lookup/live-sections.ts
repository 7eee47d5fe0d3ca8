import { html, type Insert, type Markup } from '../../../pipeline/html/markup.js';
import { folded, renderSection } from '../../../pipeline/html/section.js';
import { table } from '../../../pipeline/html/table.js';
import type { Language } from '../../../pipeline/record/language.js';
import { deadlineIn } from '../../deadline.js';
import { allRecords } from '../../dns/all-records.js';
import { Failure } from '../../failure.js';
import type { Parts } from '../../parts.js';
import type { Registration, WhoisTarget } from '../../whois/whois-record.js';
import { UpstreamError, type UpstreamReason } from '../../upstream-error.js';
import { isUnregistrable } from '../../whois/whois-target.js';
import { facts } from '../facts.js';
import { jsonLink } from './links.js';
import { LOOKUP_WORDS } from './words.js';

/** How long a page waits for DNS. */
const DNS_MS = 5000;

/** Renders the name of an address, when it has arrived. */
export async function reverseSection(
  { reverseDns }: Pick<Parts, 'reverseDns'>,
  ip: string,
  language: Language,
): Promise<Markup> {
  const words = LOOKUP_WORDS[language];
  const { resolved } = await reverseDns.namesOf([ip]);
  const name = resolved[ip];
  const body =
    name === undefined ? words.noAnswer.timeout : name === '' ? words.noReverse : html`<code>${name}</code>`;
  return renderSection({ id: 'reverse', title: words.reverse, body: html`<p>${body}</p>` });
}

/** Renders the DNS records of a name, when they have arrived. */
export async function dnsSection(
  { dns }: Pick<Parts, 'dns'>,
  name: string,
  language: Language,
): Promise<Markup> {
  const words = LOOKUP_WORDS[language];
  const body = await orReason(language, async () => {
    const records = await allRecords(dns, name, deadlineIn(DNS_MS));
    if (records === undefined || records.length === 0) return html`<p>${words.noRecords}</p>`;
    const rows = records.map(({ type, value, ttl }): Insert[] => [type, html`<code>${value}</code>`, ttl]);
    return html`${table({
      caption: `${words.dns}: ${name}`,
      columns: [
        { name: words.type, kind: 'word' },
        { name: words.value },
        { name: words.ttl, kind: 'figure' },
      ],
      rows,
    })}${jsonLink(`/api/dns/${name}`, language)}`;
  });
  return renderSection({ id: 'dns', title: words.dns, body });
}

/** Renders the registration of a target, when it has arrived. */
export async function registrationSection(
  { whois, reserved }: Pick<Parts, 'whois' | 'reserved'>,
  target: WhoisTarget,
  language: Language,
): Promise<Markup> {
  const words = LOOKUP_WORDS[language];
  const body = await orReason(language, async () => {
    if (isUnregistrable(target, reserved)) return html`<p>${words.notRegistered}</p>`;
    const answer = await whois.lookup(target);
    if (answer.kind === 'found') return registration(answer.registration, language);
    const isFree = answer.kind === 'absent' && target.kind === 'domain';
    return html`<p>${isFree ? words.available : words.notRegistered}</p>`;
  });
  return renderSection({ id: 'registration', title: words.registration, body });
}

function registration(found: Registration, language: Language): Markup {
  const words = LOOKUP_WORDS[language];
  const { facts: names } = words;
  return html`${facts([
    [names.registrar, found.registrar],
    [names.registrant, found.registrant],
    [names.created, found.creation_date],
    [names.updated, found.updated_date],
    [names.expires, found.expiry_date],
    [names.status, found.status.join(', ')],
    [names.nameServers, found.nameservers.join(', ')],
    ['DNSSEC', found.dnssec],
  ])}
  ${folded(words.raw, html`<pre tabindex="0" role="region" aria-label="${words.raw}">${found.raw}</pre>`)}`;
}

/** Renders why a server gave no answer. The rest of the page does not depend on it. */
async function orReason(language: Language, work: () => Promise<Markup>): Promise<Markup> {
  try {
    return await work();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return html`<p>${LOOKUP_WORDS[language].noAnswer[reason]}</p>`;
  }
}

/** Returns why an upstream server gave no answer, also if a Failure wraps the error; absent for other errors. */
export function reasonOf(error: unknown): UpstreamReason | undefined {
  if (error instanceof UpstreamError) return error.reason;
  return error instanceof Failure && error.cause instanceof UpstreamError ? error.cause.reason : undefined;
}
