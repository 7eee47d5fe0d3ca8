import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART_STYLE } from '../../pipeline/html/chart-style.js';
import { MAP_STYLE } from '../../pipeline/html/map-style.js';
import { html } from '../../pipeline/html/markup.js';
import { STYLE } from '../../pipeline/html/style.js';
import { TABLE_STYLE } from '../../pipeline/html/table-style.js';
import { countryCentres, MAP_HEIGHT, MAP_WIDTH, worldShapes } from '../../pipeline/html/world-shapes.js';
import { DOCS_STYLE } from './docs/docs-style.js';
import { ENDPOINT_STYLE } from './docs/endpoint-style.js';
import { GLOBAL_DNS_STYLE } from './global-dns/global-dns-style.js';
import { LOOKUP_STYLE } from './lookup/lookup-style.js';
import { SITE_STYLE } from './site-style.js';

/** Returns the text of each asset by its name: the style sheet, the world map, the favicon, and the scripts. */
export function assetSources(): ReadonlyMap<string, string> {
  return new Map([
    [
      'style.css',
      compact(
        [
          STYLE,
          TABLE_STYLE,
          CHART_STYLE,
          MAP_STYLE,
          GLOBAL_DNS_STYLE,
          SITE_STYLE,
          LOOKUP_STYLE,
          DOCS_STYLE,
          ENDPOINT_STYLE,
        ]
          .map(({ text }) => text)
          .join(''),
      ),
    ],
    ['world.svg', worldSvg()],
    ['icon.svg', ICON],
    ...scripts(),
  ]);
}

/** Joins the lines of a style sheet. */
function compact(css: string): string {
  return css
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** The outlines of all countries: each is an element that a map refers to by its code (`#DE`), and `#land` is all of them. */
function worldSvg(): string {
  const centres = countryCentres();
  const lands = worldShapes().map(({ country, path }) => {
    const [x, y] = centres.get(country) ?? [];
    return html`<path
      id="${country}"
      ${x !== undefined && html` data-x="${x}" data-y="${y}"`}
      d="${path}"
    />`;
  });
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}">
    <g id="land">${lands}</g>
  </svg>`.text.replace(/\s+/g, ' ');
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#2f6f8f"/><path d="M1 8h14M8 1c4 4 4 10 0 14M8 1c-4 4-4 10 0 14" fill="none" stroke="#fff" stroke-width="1.2"/></svg>';

/** The scripts for browsers, compiled to the folder beside this file. */
function scripts(): [string, string][] {
  const dir = join(import.meta.dirname, 'browser');
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((file) => file.endsWith('.js'))
    .map((file) => [file, readFileSync(join(dir, file), 'utf8')]);
}
