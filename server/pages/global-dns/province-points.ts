import { pointOnMap } from '../../../pipeline/html/world-shapes.js';

/** Returns where the province in the code of a place of mainland China is on the map; undefined for other codes. */
export function provincePoint(code: number): readonly [number, number] | undefined {
  return POINTS.get(Math.floor(code / 10));
}

/** Mainland China in the codes of places: 156000 + GB/T 2260 province x 10 + carrier (decision 31). */
const MAINLAND = 156_000;

/** GB/T 2260 number of each province with the longitude and latitude of its capital. */
const CAPITALS: readonly (readonly [province: number, longitude: number, latitude: number])[] = [
  [11, 116.4, 39.9],
  [12, 117.2, 39.1],
  [13, 114.5, 38.0],
  [14, 112.5, 37.9],
  [15, 111.7, 40.8],
  [21, 123.4, 41.8],
  [22, 125.3, 43.9],
  [23, 126.6, 45.8],
  [31, 121.5, 31.2],
  [32, 118.8, 32.1],
  [33, 120.2, 30.3],
  [34, 117.3, 31.8],
  [35, 119.3, 26.1],
  [36, 115.9, 28.7],
  [37, 117.0, 36.7],
  [41, 113.6, 34.8],
  [42, 114.3, 30.6],
  [43, 113.0, 28.2],
  [44, 113.3, 23.1],
  [45, 108.3, 22.8],
  [46, 110.3, 20.0],
  [50, 106.6, 29.6],
  [51, 104.1, 30.7],
  [52, 106.7, 26.6],
  [53, 102.7, 25.0],
  [54, 91.1, 29.7],
  [61, 108.9, 34.3],
  [62, 103.8, 36.1],
  [63, 101.8, 36.6],
  [64, 106.3, 38.5],
  [65, 87.6, 43.8],
];

const POINTS: ReadonlyMap<number, readonly [number, number]> = new Map(
  CAPITALS.map(([province, longitude, latitude]) => [
    MAINLAND / 10 + province,
    pointOnMap(longitude, latitude),
  ]),
);
