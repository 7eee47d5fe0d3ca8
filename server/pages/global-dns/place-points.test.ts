import t from 'tap';
import { pointOnMap } from '../../../pipeline/html/world-shapes.js';
import { VANTAGE_POINTS } from '../../../pipeline/vantage-points/catalogue.js';
import type { Snapshot } from '../../release/snapshot.js';
import { placePoints } from './place-points.js';

type Point = readonly [number, number];
const MIDDLE: Point = pointOnMap(103.8, 36.6);
const centres = new Map([...new Set(VANTAGE_POINTS.map(({ flag }) => flag))].map((flag) => [flag, MIDDLE]));
/** A release that knows none of the subnets. */
const nothing = { get: () => undefined } as unknown as Snapshot['places'];
const distance = ([x, y]: Point, [otherX, otherY]: Point): number => Math.hypot(x - otherX, y - otherY);

t.test('places in mainland China lie in their provinces, also if the release does not know them', (t) => {
  const points = placePoints({ places: nothing }, centres);
  const capitals: readonly (readonly [number, number, number])[] = [
    [156111, 116.4, 39.9],
    [156443, 113.3, 23.1],
    [156652, 87.6, 43.8],
  ];
  for (const [code, longitude, latitude] of capitals)
    t.ok(distance(points.get(code)!, pointOnMap(longitude, latitude)) < 12, String(code));
  const inMiddle = VANTAGE_POINTS.filter(
    ({ code, flag }) => flag === 'CN' && distance(points.get(code)!, MIDDLE) < 0.1,
  );
  t.same(
    inMiddle.map(({ code }) => code),
    [156004],
    'only CERNET belongs to no province',
  );
  t.end();
});

t.test('a place is where the release has its subnet, unless that is another country', (t) => {
  const japan = VANTAGE_POINTS.find(({ flag }) => flag === 'JP')!;
  const at = (iso_code: string) => {
    const record = { country: { iso_code }, location: { longitude: 139.7, latitude: 35.7 } };
    const get = (ip: string) => (japan.subnet.startsWith(ip) ? record : undefined);
    return placePoints({ places: { get } }, new Map([['JP', MIDDLE]]));
  };
  t.same(at('JP').get(japan.code), pointOnMap(139.7, 35.7));
  t.ok(distance(at('US').get(japan.code)!, MIDDLE) < 12);
  t.end();
});
