import { html, type Markup } from '../../pipeline/html/markup.js';
import { MAP_HEIGHT, MAP_WIDTH, pointOnMap } from '../../pipeline/html/world-shapes.js';
import type { Assets } from './assets.js';

/** Degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** A verdict that has a place. */
export interface PlacedVerdict extends Point {
  /** Its database. */
  readonly name: string;
  /** Whether it differs from the answer. */
  readonly differs: boolean;
}

/** A map of the world with the place of an answer and those of the verdicts. */
export interface PlaceMap {
  /** Describes the map for those who do not see it. */
  readonly label: string;
  /** The place of the answer; absent when it is not known. */
  readonly pin?: Point;
  readonly verdicts?: readonly PlacedVerdict[];
  /** ISO 3166-1 alpha-2 of the country to fill. */
  readonly country?: string;
  readonly legend: Readonly<Record<Mark, string>>;
}

/** A ring for the answer, a dot for verdicts that agree, and a diamond for those that differ. */
type Mark = 'pin' | 'agrees' | 'differs';

/** Draws the map. The outlines come from one asset that all pages share. */
export function placeMap(assets: Assets, { label, pin, verdicts = [], country, legend }: PlaceMap): Markup {
  const world = assets.pathOf('world.svg');
  const marks = groupsOf(verdicts).map(({ point, kind, names }) => mark(kind, point, names));
  return html`<figure class="map place">
    <svg viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" role="img" aria-label="${label}">
      <use class="land" href="${world}#land" />
      ${country !== undefined && html`<use class="here" href="${world}#${country}" />`} ${marks}
      ${pin !== undefined && mark('pin', pin, [legend.pin])}
    </svg>
    ${legendOf(marksIn(pin, verdicts), legend)}
  </figure>`;
}

/** Verdicts of one kind at nearly one point. */
interface Group {
  readonly point: Point;
  readonly kind: Mark;
  readonly names: string[];
}

/** Marks closer than this many units of the map are one. */
const APART = 2;

function groupsOf(verdicts: readonly PlacedVerdict[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { name, differs, ...point } of verdicts) {
    const [x, y] = pointOnMap(point.longitude, point.latitude);
    const key = [Math.round(x / APART), Math.round(y / APART), differs].join();
    const group = groups.get(key) ?? { point, kind: differs ? 'differs' : 'agrees', names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function mark(kind: Mark, { latitude, longitude }: Point, names: readonly string[]): Markup {
  const [x, y] = pointOnMap(longitude, latitude);
  return html`<g transform="translate(${x} ${y})"><title>${names.join(', ')}</title>${SHAPES[kind]}</g>`;
}

const SHAPES: Readonly<Record<Mark, Markup>> = {
  pin: html`<circle class="pin" r="9" />`,
  agrees: html`<circle class="agrees" r="5" />`,
  differs: html`<path class="differs" d="M0-7 7 0 0 7-7 0z" />`,
};

function marksIn(pin: Point | undefined, verdicts: readonly PlacedVerdict[]): Mark[] {
  const shown = new Set<Mark>(verdicts.map(({ differs }) => (differs ? 'differs' : 'agrees')));
  if (pin !== undefined) shown.add('pin');
  return (['pin', 'agrees', 'differs'] as const).filter((kind) => shown.has(kind));
}

function legendOf(shown: readonly Mark[], words: PlaceMap['legend']): Markup {
  return html`<ul class="legend">
    ${shown.map(
      (kind) =>
        html`<li><svg viewBox="-11 -11 22 22" aria-hidden="true">${SHAPES[kind]}</svg>${words[kind]}</li>`,
    )}
  </ul>`;
}
