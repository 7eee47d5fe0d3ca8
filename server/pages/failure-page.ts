import { html, type Markup } from '../../pipeline/html/markup.js';
import type { Language } from '../../pipeline/record/language.js';
import type { Failure } from '../failure.js';
import type { FailurePage } from '../http/exchange.js';
import type { Assets } from './assets.js';
import { localised, renderPage } from './layout.js';
import { PageFailure } from './page-failure.js';
import { pageLanguage } from './page-language.js';
import { WORDS } from './words.js';

/** Returns the renderer of failures. */
export function failurePageOf(assets: Assets): FailurePage {
  return (failure, req) => {
    const language = pageLanguage({ lang: langOf(req.url), headers: req.headers });
    const { titles, other, home, docs, retry } = WORDS[language].failure;
    const title = titles[failure.code] ?? other;
    const seconds = failure.headers['Retry-After'];
    return renderPage(assets, {
      title,
      language,
      path: pathOf(req.url),
      main: html`<section>
        <h1>${title}</h1>
        ${reason(failure, language)} ${seconds !== undefined && html`<p>${retry(seconds)}</p>`}
        <p>
          <a href="${localised('/', language)}">${home}</a> ·
          <a href="${localised('/docs', language)}">${docs}</a>
        </p>
      </section>`,
    });
  };
}

/** Messages of the API are in English. Only the failure of an unknown path has the status 404 of its own. */
function reason(failure: Failure, language: Language): Markup {
  const { message, status } = failure;
  if (failure instanceof PageFailure) return html`<p>${message}</p>`;
  return status === 404 ? html`<p>${WORDS[language].failure.noPage}</p>` : html`<p lang="en">${message}</p>`;
}

function langOf(url = '/'): string | undefined {
  return new URLSearchParams(url.split('?', 2)[1]).get('lang') ?? undefined;
}

/**
 * Returns the path that was asked for, with its query but without `lang`; `/` for a long one. A path that begins with `//`
 * would name another server.
 */
function pathOf(url = '/'): string {
  if (url.length > LONGEST_PATH) return '/';
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2);
  const rest = query.split('&').filter((parameter) => parameter !== '' && !/^lang=/i.test(parameter));
  return `/${path.replace(/^[/\\]+/, '')}${rest.length === 0 ? '' : `?${rest.join('&')}`}`;
}

/** A longer path is no page of ours, and the page of its failure should be short. */
const LONGEST_PATH = 1000;
