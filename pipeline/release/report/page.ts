import type { Manifest } from '../contract.js';
import { CHART_STYLE } from '../../html/chart-style.js';
import { html } from '../../html/markup.js';
import { MAP_STYLE } from '../../html/map-style.js';
import { renderSection, type Section } from '../../html/section.js';
import { STYLE } from '../../html/style.js';
import { TABLE_STYLE } from '../../html/table-style.js';
import { moment } from '../../html/wording.js';

/** Renders the whole page. Its content security policy forbids loading anything, even if a text contains markup. */
export function page({ id, buildEpoch, source, generator }: Manifest, sections: readonly Section[]): string {
  const from = source === undefined ? '' : `, from ${SOURCES[source]}`;
  const links = sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>Release ${id}</title>
        <style>
          ${STYLE}${TABLE_STYLE}${CHART_STYLE}${MAP_STYLE}
        </style>
      </head>
      <body>
        <header>
          <p class="kicker">Release report</p>
          <h1>${id}</h1>
          <p>Built ${moment(buildEpoch)} by ${generator}${from}.</p>
          <nav aria-label="Sections">
            <ul>
              ${links}
            </ul>
          </nav>
        </header>
        <main>${sections.map(renderSection)}</main>
      </body>
    </html> `.text;
}

const SOURCES = {
  fixtures: 'the bundled fixtures',
  folder: 'a folder of publishers’ files',
  live: 'the publishers',
} as const satisfies Record<NonNullable<Manifest['source']>, string>;
