import { pointOnMap } from '../../../pipeline/html/world-shapes.js';
import { VANTAGE_POINTS, type VantagePoint } from '../../../pipeline/vantage-points/catalogue.js';
import type { Snapshot } from '../../release/snapshot.js';
import { provincePoint } from './province-points.js';

/** Places of one country or province lie on a small spiral around its point, in units of the map. */
const SPREAD = 5;

/**
 * Returns where each place is on the map, by its code: in the province that the code names, else where `geo.mmdb` has
 * its subnet, else in the middle of its country. Places at the same point are moved apart.
 */
export function placePoints(
  { places }: Pick<Snapshot, 'places'>,
  centres: ReadonlyMap<string, readonly [number, number]>,
): ReadonlyMap<number, readonly [number, number]> {
  const taken = new Map<string, number>();
  const points = new Map<number, readonly [number, number]>();
  for (const { code, flag, subnet } of VANTAGE_POINTS) {
    const point = provincePoint(code) ?? knownPoint(places, { flag, subnet }) ?? centres.get(flag);
    if (point === undefined) continue;
    const key = point.map((at) => Math.round(at / SPREAD)).join();
    const turn = taken.get(key) ?? 0;
    taken.set(key, turn + 1);
    points.set(code, movedApart(point, turn));
  }
  return points;
}

/** Returns where the release has a subnet; undefined if it has it in another country. */
function knownPoint(
  places: Snapshot['places'],
  { flag, subnet }: Pick<VantagePoint, 'flag' | 'subnet'>,
): readonly [number, number] | undefined {
  const { country, location } = places.get(subnet.split('/')[0]!) ?? {};
  if (country?.iso_code !== flag) return undefined;
  if (location?.longitude === undefined || location.latitude === undefined) return undefined;
  return pointOnMap(location.longitude, location.latitude);
}

function movedApart([x, y]: readonly [number, number], turn: number): readonly [number, number] {
  const distance = SPREAD * Math.sqrt(turn);
  // The golden angle spreads any number of points evenly.
  const angle = turn * 2.4;
  return [
    Number((x + distance * Math.cos(angle)).toFixed(1)),
    Number((y + distance * Math.sin(angle)).toFixed(1)),
  ];
}
