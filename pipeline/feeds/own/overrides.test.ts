import t from 'tap';
import { tryContents } from '../testing/own-trial.js';

const FILE = 'own/overrides.csv';
const HEADER = 'prefix,country,region,city,lat,lon,isp,postal,reason\n';

const read = (root: string, content: string) => tryContents(root, { [FILE]: content });

t.test('a row gives country, region, city, coordinates and ISP', async (t) => {
  const trial = await read(
    t.testdir(),
    `${HEADER}223.5.5.0/24,cn,CN-ZJ,Hangzhou,30.2937,120.1614,Alibaba,310000,"feeds disagree, we know"\n`,
  );
  t.same(trial.claimAt('223.5.5.5'), {
    country: 'CN',
    region: 'CN-ZJ',
    cityName: 'Hangzhou',
    latitude: 30.2937,
    longitude: 120.1614,
    isp: 'Alibaba',
    basis: 'override',
  });
});

t.test('columns are found by long or short names in any order', async (t) => {
  const content =
    '# ours\nLongitude,prefix, City ,country,region,latitude\n-78.4558,190.9.160.0/20,Quito,EC,EC-P,-0.22\n';
  const trial = await read(t.testdir(), content);
  t.match(trial.claimAt('190.9.160.1'), { cityName: 'Quito', latitude: -0.22, longitude: -78.4558 });
});

t.test('a file without a header, or with unknown, missing or repeated columns, is refused', async (t) => {
  const contents = [
    'prefix,country,region,city,colour\n',
    'prefix,country,city\n8.8.8.0/24,US,\n',
    'prefix,country,region,city,lat,latitude\n',
    '8.8.8.0/24,US,,\n',
    '# only a comment\n',
  ];
  for (const content of contents) {
    await t.rejects(
      read(t.testdir(), content),
      { name: 'FeedError', refusal: 'header', file: FILE },
      content,
    );
  }
});

t.test('latitude 0 is valid, and 0,0 without a city is a placeholder', async (t) => {
  const trial = await read(
    t.testdir(),
    `${HEADER}190.9.160.0/20,EC,EC-P,,0,-78.4558,,,\n8.8.8.0/24,US,,,0,0,,,\n8.8.4.0/24,US,,Null Island,0,0,,,\n`,
  );
  t.match(trial.claimAt('190.9.160.1'), { latitude: 0, longitude: -78.4558 });
  t.same(trial.claimAt('8.8.8.8'), { country: 'US', basis: 'override' });
  t.match(trial.claimAt('8.8.4.4'), { latitude: 0, longitude: 0 });
  t.same(trial.tally(FILE).notes, {});
});

t.test(
  'coordinates that are half, no number or out of range are dropped as a pair, with a note',
  async (t) => {
    const pairs = ['12,', ',12', '91,0', '0,180.5', 'north,12', '1e1,12', '12,0x10'];
    const rows = pairs.map((pair, index) => `8.8.${index}.0/24,US,,Dallas,${pair},,,\n`);
    const trial = await read(t.testdir(), HEADER + rows.join(''));
    t.same(trial.tally(FILE).notes, { coordinates: pairs.length });
    t.equal(trial.tally(FILE).accepted, pairs.length);
    t.same(trial.claimAt('8.8.3.1'), { country: 'US', cityName: 'Dallas', basis: 'override' });
  },
);

t.test('a row with only an ISP is an override, a row without both is unknown', async (t) => {
  const trial = await read(t.testdir(), `${HEADER}41.0.0.0/11,,,,,,Vodacom,,\n41.32.0.0/11,,,,,,,,why not\n`);
  t.same(trial.claimAt('41.0.0.1'), { isp: 'Vodacom', basis: 'override' });
  t.equal(trial.claimAt('41.32.0.1'), undefined);
  t.same(trial.tally(FILE).notes, { unknown: 1 });
});

t.test('every bad row is rejected with its reason and line', async (t) => {
  const trial = await read(
    t.testdir(),
    HEADER +
      [
        '8.8.8/24,US,,,,,,,',
        '8.8.8.0/24,US,,,,',
        '8.8.8.0/24,XX,,,,,,,',
        '8.8.8.0/24,,US-CA,,,,,,',
        '8.8.8.0/24,,,,37.4,-122.1,,,',
        '8.8.8.0/24,US,,Mountain "View",,,,,',
        '10.0.0.0/24,US,,,,,,,',
        '8.8.8.0/24,US,CA-ON,,,,,,kept without its region',
      ].join('\n'),
  );
  t.same(trial.rejections(FILE).sort(), [
    'address@2',
    'columns@3',
    'country@4',
    'country@5',
    'country@6',
    'quoting@7',
    'reserved@8',
  ]);
  t.equal(trial.tally(FILE).rows, 8);
  t.same(trial.tally(FILE).notes, { 'region-country': 1 });
  t.same(trial.claimAt('8.8.8.8'), { country: 'US', basis: 'override' });
});

t.test('a dash states that there is nothing, and an empty field leaves it to the merge', async (t) => {
  const rows = [
    '8.8.8.0/24,US,,,,,,,',
    '8.8.9.0/24,US,US-CA,-,,,,,',
    '8.8.10.0/24,US,-,,-,-,,,',
    '8.8.11.0/24,US,-,Dallas,,,,,',
    '8.8.12.0/24,-,,,,,Google,,',
    '8.8.13.0/24,-,US-CA,,,,,,',
  ];
  const trial = await read(t.testdir(), `${HEADER}${rows.join('\n')}\n`);
  const basis = 'override';
  t.same(trial.claimAt('8.8.8.1'), { country: 'US', basis });
  t.same(trial.claimAt('8.8.9.1'), { country: 'US', region: 'US-CA', basis, lastLevel: 'region' });
  t.same(trial.claimAt('8.8.10.1'), { country: 'US', basis, lastLevel: 'country', coordinates: 'none' });
  t.same(trial.claimAt('8.8.11.1'), { country: 'US', cityName: 'Dallas', basis, lastLevel: 'country' });
  t.same(trial.claimAt('8.8.12.1'), { isp: 'Google', basis, lastLevel: 'none' });
  t.same(trial.rejections(FILE), ['country@7']);
});
