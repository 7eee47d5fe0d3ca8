import { pointOnMap } from '../../../pipeline/html/world-shapes.js';
import { VANTAGE_POINTS } from '../../../pipeline/vantage-points/catalogue.js';
import type { Snapshot } from '../../release/snapshot.js';

/** Places of one country or province lie on a small spiral around its point, in units of the map. */
const SPREAD = 5;

/**
 * Returns where each place is on the map, by its code: where `geo.mmdb` has its subnet, else in the middle of its
 * country. Places at the same point are moved apart.
 */
export function placePoints(
  { places }: Pick<Snapshot, 'places'>,
  centres: ReadonlyMap<string, readonly [number, number]>,
): ReadonlyMap<number, readonly [number, number]> {
  const taken = new Map<string, number>();
  const points = new Map<number, readonly [number, number]>();
  for (const { code, flag, subnet } of VANTAGE_POINTS) {
    const { country, location } = places.get(subnet.split('/')[0]!) ?? {};
    const isThere =
      country?.iso_code === flag && location?.longitude !== undefined && location.latitude !== undefined;
    const point = isThere ? pointOnMap(location.longitude, location.latitude) : centres.get(flag);
    if (point === undefined) continue;
    const key = point.map((at) => Math.round(at / SPREAD)).join();
    const turn = taken.get(key) ?? 0;
    taken.set(key, turn + 1);
    points.set(code, movedApart(point, turn));
  }
  return points;
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
