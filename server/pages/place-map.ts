import { html, type Markup } from '../../pipeline/html/markup.js';
import { MAP_HEIGHT, MAP_WIDTH, pointOnMap } from '../../pipeline/html/world-shapes.js';
import type { Assets } from './assets.js';

/** Degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** A map of the world with one place. */
export interface PlaceMap {
  /** Describes the map for those who do not see it. */
  readonly label: string;
  /** Absent when the place is not known. */
  readonly pin?: Point;
  /** Further places, shown smaller. */
  readonly voices?: readonly Point[];
  /** ISO 3166-1 alpha-2 of the country to fill. */
  readonly country?: string;
}

/** Draws the map. The outlines come from one asset that all pages share. */
export function placeMap(assets: Assets, { label, pin, voices = [], country }: PlaceMap): Markup {
  const world = assets.pathOf('world.svg');
  return html`<figure class="map place">
    <svg viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" role="img" aria-label="${label}">
      <use class="land" href="${world}#land" />
      ${country !== undefined && html`<use class="here" href="${world}#${country}" />`}
      ${voices.map((voice) => dot(voice, 'voice', 5))} ${pin !== undefined && dot(pin, 'pin', 8)}
    </svg>
  </figure>`;
}

function dot({ latitude, longitude }: Point, kind: string, radius: number): Markup {
  const [x, y] = pointOnMap(longitude, latitude);
  return html`<circle class="${kind}" cx="${x}" cy="${y}" r="${radius}" />`;
}
