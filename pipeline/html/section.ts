import { html, type Insert, type Markup } from './markup.js';

/** A part of the report with its own heading. */
export interface Section {
  /** Anchor of the section: plain letters. */
  readonly id: string;
  readonly title: string;
  readonly body: Insert;
}

/** Renders a section. */
export function renderSection({ id, title, body }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section> `;
}

/** Renders a collapsed block with a summary line. */
export function folded(summary: Insert, body: Insert): Markup {
  return html`<details>
    <summary>${summary}</summary>
    ${body}
  </details> `;
}
