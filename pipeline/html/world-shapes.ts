import { createRequire } from 'node:module';
import { geoEqualEarth, geoPath, type GeoPermissibleObjects, type GeoProjection } from 'd3-geo';
import type { FeatureCollection, Geometry } from 'geojson';
import { iso31661 } from 'iso-3166';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** The outline of a country on the map. */
export interface Shape {
  /** ISO 3166-1 alpha-2, with XK. */
  readonly country: string;
  /** SVG path data. */
  readonly path: string;
}

/** The size of the map in its own units. */
export const MAP_WIDTH = 960;
export const MAP_HEIGHT = 440;

/**
 * Returns the outline of every country in the Equal Earth projection, from Natural Earth's small map. Countries that are
 * too small for it are dots, which come last.
 */
export function worldShapes(): Shape[] {
  const small = featuresOf(SMALL_MAP);
  const projection = newProjection();
  const pathOf = geoPath(projection).digits(1);
  const drawn = new Map<string, string>();
  for (const { country, shape } of small) {
    if (country !== undefined) drawn.set(country, `${drawn.get(country) ?? ''}${pathOf(shape) ?? ''}`);
  }
  const points = new Map<string, readonly [number, number]>(Object.entries(POINTS));
  for (const { country, shape } of featuresOf(LARGE_MAP)) {
    if (country === undefined || drawn.has(country) || points.has(country)) continue;
    points.set(country, geoPath().centroid(shape));
  }
  const dots = [...points]
    .filter(([country]) => !drawn.has(country))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([country, point]) => ({ country, path: dotAt(projection, point) }));
  return [...Array.from(drawn, ([country, path]) => ({ country, path })), ...dots];
}

/** Returns the middle of each country on the map: x and y in its units. */
export function countryCentres(): ReadonlyMap<string, readonly [number, number]> {
  const pathOf = geoPath(newProjection());
  const centres = new Map<string, readonly [number, number]>();
  for (const { country, shape } of featuresOf(LARGE_MAP)) {
    if (country === undefined || centres.has(country)) continue;
    const [x, y] = pathOf.centroid(shape);
    centres.set(country, [Number(x.toFixed(1)), Number(y.toFixed(1))]);
  }
  return centres;
}

/** Returns where a place is on the map: x and y in its units. */
export function pointOnMap(longitude: number, latitude: number): readonly [number, number] {
  const [x, y] = PROJECTION([longitude, latitude])!;
  return [Number(x.toFixed(1)), Number(y.toFixed(1))];
}

function newProjection(): GeoProjection {
  return geoEqualEarth().precision(2).fitExtent(FRAME, { type: 'MultiPoint', coordinates: CORNERS });
}

const SMALL_MAP = 'world-atlas/countries-110m.json';
const LARGE_MAP = 'world-atlas/countries-50m.json';

/** The map is cut in the Antarctic. */
const CORNERS: [number, number][] = [
  [-180, 0],
  [180, 0],
  [0, 84],
  [0, -62],
];
const FRAME: [[number, number], [number, number]] = [
  [2, 4],
  [MAP_WIDTH - 2, MAP_HEIGHT],
];

const PROJECTION = newProjection();

type World = Topology<{ countries: GeometryCollection<{ name: string }> }>;

interface CountryFeature {
  readonly country: string | undefined;
  readonly shape: GeoPermissibleObjects;
}

function featuresOf(file: string): CountryFeature[] {
  const world = createRequire(import.meta.url)(file) as World;
  const { features }: FeatureCollection<Geometry, { name: string }> = feature(world, world.objects.countries);
  return features.map((shape) => {
    const code = shape.id === undefined ? UNCODED[shape.properties.name] : codes.get(String(shape.id));
    return { country: code, shape };
  });
}

/** Alpha-2 codes by numeric code. */
const codes: ReadonlyMap<string, string> = new Map(iso31661.map(({ numeric, alpha2 }) => [numeric, alpha2]));

/** The countries of land that has no numeric code in the map. ISO 3166 counts all of it but Kosovo to others. */
const UNCODED: Readonly<Record<string, string>> = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' };

/** Longitude and latitude of the countries that neither map has as an area of its own. */
const POINTS: Readonly<Record<string, readonly [number, number]>> = {
  BQ: [-68.3, 12.2],
  BV: [3.4, -54.4],
  CC: [96.9, -12.2],
  CX: [105.6, -10.5],
  GF: [-53.1, 4],
  GI: [-5.3, 36.1],
  GP: [-61.6, 16.2],
  MQ: [-61, 14.6],
  RE: [55.5, -21.1],
  SJ: [16, 78.5],
  TK: [-171.8, -9.2],
  TV: [179.2, -8.5],
  UM: [-177.4, 28.2],
  YT: [45.2, -12.8],
};

const DOT_RADIUS = 2.5;

function dotAt(projection: GeoProjection, [longitude, latitude]: readonly [number, number]): string {
  const [x, y] = projection([longitude, latitude])!.map((value) => Number(value.toFixed(1)));
  const across = 2 * DOT_RADIUS;
  return `M${x! - DOT_RADIUS},${y!}a${DOT_RADIUS},${DOT_RADIUS} 0 1,0 ${across},0a${DOT_RADIUS},${DOT_RADIUS} 0 1,0 -${across},0Z`;
}
