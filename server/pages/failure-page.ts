import { html } from '../../pipeline/html/markup.js';
import type { FailurePage } from '../http/exchange.js';
import type { Assets } from './assets.js';
import { localised, renderPage } from './layout.js';
import { pageLanguage } from './page-language.js';
import { WORDS } from './words.js';

/** Returns the renderer of failures. Messages are those of the API, in English. */
export function failurePageOf(assets: Assets): FailurePage {
  return ({ code, message, headers }, req) => {
    const language = pageLanguage(req);
    const { titles, other, home, retry } = WORDS[language].failure;
    const title = titles[code] ?? other;
    const seconds = headers['Retry-After'];
    return renderPage(assets, {
      title,
      language,
      path: '/',
      main: html`<section>
        <h1>${title}</h1>
        <p lang="en">${message}</p>
        ${seconds !== undefined && html`<p>${retry(seconds)}</p>`}
        <p><a href="${localised('/', language)}">${home}</a></p>
      </section>`,
    });
  };
}
