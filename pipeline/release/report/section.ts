import { html, type Insert, type Markup } from './markup.js';

/** A part of the report with a heading of its own. */
export interface Section {
  /** For links to it: plain letters. */
  readonly id: string;
  readonly title: string;
  readonly body: Insert;
}

/** The section as markup. */
export function renderSection({ id, title, body }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section> `;
}

/** Something that is opened to be read: a line that says what, and the rest. */
export function folded(summary: Insert, body: Insert): Markup {
  return html`<details>
    <summary>${summary}</summary>
    ${body}
  </details> `;
}
