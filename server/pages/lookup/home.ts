import { html } from '../../../pipeline/html/markup.js';
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
    answer({ client, language, snapshot }) {
      const { yours, permalink } = LOOKUP_WORDS[language];
      const address = clientAddress(client);
      return page(
        renderPage(parts.assets, {
          title: address.ip,
          language,
          path: '/',
          main: html`${addressSections(parts, address, { snapshot, language, heading: yours })}
            <p><a href="${localised(lookupPath(address.ip), language)}">${permalink}</a></p>`,
        }),
      );
    },
  });
