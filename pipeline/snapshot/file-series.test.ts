import t from 'tap';
import { RIB } from '../bgp/rib-source.js';
import type { PublishedFile } from '../input/published-source.js';
import { matchesName } from '../input/name-pattern.js';
import { hasMembers, isFamily, isMember, isSameMember } from './file-series.js';
import { seriesOf } from './sources.js';

const named = (name: string, take: PublishedFile['take']): PublishedFile => ({
  folder: 'rib',
  name,
  container: 'gz',
  required: false,
  take,
});
const DUMPS = named('*/bview.*.*.gz', 'latest');
const GEOFEEDS = named('geofeeds/*.csv', 'all');
const DATED = named('city_*.zip', 'latest');
const SINGLE = named('asn.txt', 'all');

t.test('families and folders have members; dated snapshots and single files have none', (t) => {
  const found = [DUMPS, GEOFEEDS, DATED, SINGLE].map((declared) => [
    isFamily(declared),
    hasMembers(declared),
  ]);
  t.same(found, [
    [false, true],
    [true, true],
    [false, false],
    [false, false],
  ]);
  t.end();
});

t.test('in snapshots with folders each folder is one member, whatever the date', (t) => {
  t.ok(isMember('rib/rrc00/bview.20261121.0800.gz', DUMPS));
  t.notOk(isMember('rib/all.zip', DUMPS), 'the archive of all of them');
  t.ok(isSameMember('rib/rrc00/bview.20261121.0800.gz', 'rib/rrc00/bview.20261120.0800.gz', DUMPS));
  t.notOk(isSameMember('rib/rrc00/bview.20261121.0800.gz', 'rib/rrc12/bview.20261121.0800.gz', DUMPS));
  t.end();
});

t.test('each file of a family is one member; all files of a dated series are the same member', (t) => {
  t.ok(isMember('rib/geofeeds/a.csv', GEOFEEDS));
  t.notOk(isSameMember('rib/geofeeds/a.csv', 'rib/geofeeds/b.csv', GEOFEEDS));
  t.ok(isSameMember('rib/city_1.zip', 'rib/city_2.zip', DATED));
  t.notOk(isMember('rib/city_1.zip', DATED));
  t.end();
});

t.test('the dumps of each collector are a series, whatever they are called', (t) => {
  const nights = [
    [
      'rib/rrc00/bview.20261121.0800.gz',
      'rib/rrc00/bview.20261120.0800.gz',
      'rib/rrc12/bview.20261121.0800.gz',
    ],
    ['rib/linx/rib.20261121.0800.bz2', 'rib/linx/rib.20261120.2200.bz2', 'rib/sg/rib.20261121.0800.bz2'],
  ] as const;
  for (const [tonight, before, other] of nights) {
    const declared = RIB.files.filter(({ folder, name }) => matchesName(`${folder}/${name}`, tonight));
    t.equal(declared.length, 1);
    t.ok(isSameMember(tonight, before, declared[0]!), before);
    t.notOk(isSameMember(tonight, other, declared[0]!), other);
    t.equal(seriesOf(tonight), seriesOf(before));
    t.not(seriesOf(tonight), seriesOf(other));
  }
  t.end();
});
