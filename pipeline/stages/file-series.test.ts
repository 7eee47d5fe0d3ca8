import t from 'tap';
import { RIB_FILES } from '../bgp/rib-files.js';
import type { FeedFile } from '../feeds/feed.js';
import { hasMembers, isFamily, isInFolders, isMember, isSameMember } from './file-series.js';
import { seriesOf } from './sources.js';

const named = (name: string, take: FeedFile['take']): FeedFile => ({
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

t.test('families and folders have members, dated snapshots and single files have none', (t) => {
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

t.test('of snapshots in folders, one folder is one member whatever the date', (t) => {
  t.ok(isMember('rib/rrc00/bview.20261121.0800.gz', DUMPS));
  t.notOk(isMember('rib/all.zip', DUMPS), 'the archive of all of them');
  t.ok(isSameMember('rib/rrc00/bview.20261121.0800.gz', 'rib/rrc00/bview.20261120.0800.gz', DUMPS));
  t.notOk(isSameMember('rib/rrc00/bview.20261121.0800.gz', 'rib/rrc12/bview.20261121.0800.gz', DUMPS));
  t.end();
});

t.test('of a family each file is one member, of dated snapshots all are the same thing', (t) => {
  t.ok(isMember('rib/geofeeds/a.csv', GEOFEEDS));
  t.notOk(isSameMember('rib/geofeeds/a.csv', 'rib/geofeeds/b.csv', GEOFEEDS));
  t.ok(isSameMember('rib/city_1.zip', 'rib/city_2.zip', DATED));
  t.notOk(isMember('rib/city_1.zip', DATED));
  t.end();
});

t.test("the dumps of a collector are one series, each collector's its own", (t) => {
  const declared = RIB_FILES.filter(({ name }) => name.startsWith('*/'));
  t.ok(declared.length > 0);
  for (const files of declared) t.ok(isInFolders(files), files.name);
  const [today, yesterday, other] = [
    'rrc00/bview.20261121.0800',
    'rrc00/bview.20261120.0800',
    'rrc12/bview.20261121.0800',
  ].map((name) => seriesOf(`rib/${name}.gz`));
  t.equal(today, yesterday);
  t.not(today, other);
  t.end();
});
