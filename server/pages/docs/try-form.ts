import { html, type Markup } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import { htmlLanguage } from '../page-language.js';
import type { Operation, ShownParameter } from './api-operations.js';
import { DOCS_WORDS } from './words.js';

/**
 * Renders the form that calls an operation. The script `try-it` shows and sends it; without scripts there is a link to
 * the example.
 */
export function tryForm(operation: Operation, language: Language): Markup {
  const words = DOCS_WORDS[language];
  const { method, path, parameters, login, exampleAccept, exampleBody } = operation;
  return html`<form
      class="try"
      lang="${htmlLanguage(language)}"
      hidden="hidden"
      data-method="${method}"
      data-path="${path}"
      ${exampleAccept !== undefined && html`data-accept="${exampleAccept}"`}
      data-sending="${words.sending}"
      data-failed="${words.failed}"
      data-binary="${words.binary}"
      data-cut="${words.cut}"
    >
      <fieldset>
        <legend>${words.tryIt}</legend>
        ${parameters.map((parameter) => fieldOf(parameter, language))}
        ${
          exampleBody !== undefined &&
          html`<label class="wide"
            ><span>${words.body}</span
            ><textarea name="body" rows="4" spellcheck="false">${exampleBody}</textarea>
          </label>`
        }
        ${login !== 'none' && keyFields(login, language)}
        <button>${words.send}</button>
      </fieldset>
      <p role="status"></p>
      <pre
        class="result"
        tabindex="0"
        role="region"
        aria-label="${words.answer}: ${method} ${path}"
        hidden="hidden"
      ></pre>
    </form>
    ${exampleLink(operation, language)}`;
}

function fieldOf(
  { name, in: place, required, options, example = '' }: ShownParameter,
  language: Language,
): Markup {
  const label = html`<span
    ><code>${name}</code>${!required && html` <small>${DOCS_WORDS[language].optional}</small>`}</span
  >`;
  if (options === undefined)
    return html`<label
      >${label}<input
        name="${place}:${name}"
        value="${example}"
        ${required && html`required="required"`}
        autocapitalize="none"
        autocomplete="off"
        spellcheck="false"
    /></label>`;
  const choices = required ? options : ['', ...options];
  return html`<label
    >${label}<select name="${place}:${name}">
      ${choices.map(
        (value) =>
          html`<option value="${value}" ${value === example && html`selected="selected"`}>${value}</option>`,
      )}
    </select></label
  >`;
}

/** The script keeps both values in the storage of the tab. */
function keyFields(login: Operation['login'], language: Language): Markup {
  const words = DOCS_WORDS[language];
  return html`${
      login === 'basic' &&
      html`<label><span>${words.account}</span><input name="account" autocomplete="off" /></label>`
    }
    <label title="${words.keyNote}"
      ><span>${words.key}</span><input name="key" type="password" autocomplete="off"
    /></label>
    <p class="note"><small>${words.keyNote}</small></p>`;
}

function exampleLink(
  { method, login, exampleNeedsKey, examplePath }: Operation,
  language: Language,
): Markup | undefined {
  if (method !== 'GET' || (login !== 'none' && exampleNeedsKey)) return undefined;
  return html`<p class="example" lang="${htmlLanguage(language)}">
    <small
      >${DOCS_WORDS[language].tryExample} <a href="${examplePath}"><code>${examplePath}</code></a></small
    >
  </p>`;
}
