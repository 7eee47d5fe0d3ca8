import { html, type Markup } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import { page } from '../../http/answer.js';
import type { Route } from '../../http/route.js';
import { clientAddress } from '../../targets/target.js';
import { definePage } from '../define-page.js';
import { localised, renderPage } from '../layout.js';
import { addressSections, type AddressParts } from './findings.js';
import { lookupPath } from './links.js';
import { LOOKUP_WORDS } from './words.js';

/** GET / for browsers: what is known about the visitor's address */
export const home = (parts: AddressParts): Route =>
  definePage({
    paths: ['/'],
    name: 'homePage',
    answer({ client, headers, language, snapshot }) {
      const { yours, permalink } = LOOKUP_WORDS[language];
      const address = clientAddress(client);
      return page(
        renderPage(parts.assets, {
          title: address.ip,
          language,
          path: '/',
          main: html`${about(headers.host, language)}
            ${addressSections(parts, address, { snapshot, language, heading: yours })}
            <p><a href="${localised(lookupPath(address.ip), language)}">${permalink}</a></p>`,
        }),
      );
    },
  });

/** Says what the service is, with a first call of its API. */
function about(host: string | undefined, language: Language): Markup {
  const { sentence, docs, status } = LOOKUP_WORDS[language].about;
  const server = host !== undefined && HOST.test(host) ? host : SAMPLE_HOST;
  return html`<div class="about">
    <p>${sentence}</p>
    <p>
      <code>curl ${server}/json</code> · <a href="${localised('/docs/api', language)}">${docs}</a> ·
      <a href="${localised('/status', language)}">${status}</a>
    </p>
  </div>`;
}

/** A name or an address with a port. Visitors may send any text. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const SAMPLE_HOST = 'localhost:8080';
