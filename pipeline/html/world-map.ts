import { html, type Markup } from './markup.js';
import { classOfShare, scaleLegend, type Scale, type ScaleWords } from './scale.js';
import { MAP_HEIGHT, MAP_WIDTH, type Shape } from './world-shapes.js';

/** A map of shares by country. */
export interface WorldMap {
  readonly title: string;
  readonly scale: Scale;
  /** Returns the share of a country (0..1); undefined without addresses. */
  readonly shareOf: (country: string) => number | undefined;
  /** Returns the name and the figures of a country. */
  readonly describe: (country: string) => string;
}

/** Defines the outlines of the countries once for all maps of the page. */
export function mapShapes(shapes: readonly Shape[]): Markup {
  return html`<svg class="shapes" aria-hidden="true">
    <defs>${shapes.map(({ country, path }) => html`<path id="land-${country}" d="${path}" />`)}</defs>
  </svg> `;
}

/** Where the outlines come from, and the words of the legend. */
export interface MapSource {
  readonly countries: readonly string[];
  /** Returns the reference to the outline of a country. */
  readonly outlineOf: (country: string) => string;
  /** The legend of countries without a share. */
  readonly unknown?: string;
  /** The other words of the legend; English by default. */
  readonly words?: ScaleWords;
}

/** Returns the outlines that `mapShapes` defines in the same page. */
export function shapesOfPage(shapes: readonly Shape[]): MapSource {
  return { countries: shapes.map(({ country }) => country), outlineOf: (country) => `#land-${country}` };
}

/** Draws a map with its legend. Each country has its figures as a tooltip. */
export function worldMap(
  { countries, outlineOf, unknown = 'no addresses', words }: MapSource,
  { title, scale, shareOf, describe }: WorldMap,
): Markup {
  const lands = countries.map(
    (country) =>
      html`<g class="${classOfShare(scale, shareOf(country))}"
        ><title>${describe(country)}</title><use href="${outlineOf(country)}"
      /></g>`,
  );
  return html`<figure class="map">
    <figcaption>${title}</figcaption>
    <svg viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" role="img" aria-label="${title}">${lands}</svg>
    ${scaleLegend(scale, unknown, words)}
  </figure> `;
}
