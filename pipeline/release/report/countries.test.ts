import { XMLParser } from 'fast-xml-parser';
import t from 'tap';
import { countryNames } from '../../gazetteer/country-names.js';
import type { Manifest } from '../contract.js';
import { sha256Text } from '../digest.js';
import { exampleManifest } from '../testing/example-release.js';
import { tablesOf } from '../testing/report-tables.js';
import { renderReport } from './render-report.js';
import { MAP_WIDTH, worldShapes } from '../../html/world-shapes.js';

const BUILT = 1_794_873_600;

const COUNTERS = {
  'agreement.countries.JP.city': 3_000_000,
  'agreement.countries.JP.country': 1_000_000,
  'agreement.countries.JP.compared': 2_000_000,
  'agreement.countries.JP.disagreed': 500_000,
  'agreement.countries.FR.region': 100,
  'agreement.pairs.dbip.geolite2.countries': 1000,
  'agreement.pairs.dbip.geolite2.otherCountry': 125,
  'agreement.pairs.dbip.qqwry.countries': 5000,
  'agreement.pairs.dbip.qqwry.otherCountry': 1,
  'agreement.pairs.dbip.qqwry.cities': 10,
};

function release(counters: Record<string, number>): Manifest {
  const geo = { key: sha256Text('geo'), files: [], counters };
  return { ...exampleManifest(BUILT), datasets: { geo } };
}

t.test('each country is on the map once, within its frame', (t) => {
  const shapes = worldShapes();
  const codes = shapes.map(({ country }) => country);
  t.same([...codes].sort(), [...countryNames().keys()].sort());
  for (const { country, path } of shapes) {
    t.match(path, /^M-?[\d.]+,-?[\d.]+[-MLZa\d., ]*Z$/, country);
    const x = [...path.matchAll(/[ML](-?[\d.]+),/g)].map(([, text]) => Number(text));
    t.ok(Math.min(...x) >= 0 && Math.max(...x) <= MAP_WIDTH, `${country} is within the width`);
  }
  t.same(worldShapes(), shapes, 'the same every time');
  t.end();
});

t.test('maps have the class and the figures of each country, and a table has the largest', (t) => {
  const page = renderReport({ manifest: release(COUNTERS) });
  const dense = page.replace(/\n\s*/g, '');
  t.match(
    dense,
    /<g class="blue3"><title>Japan JP: 4 M addresses, finest level: city 75 %, region 0 %, country 25 %<\/title><use href="#land-JP" ?\/><\/g>/,
  );
  t.match(
    dense,
    '<g class="orange3"><title>Japan JP: 25 % of 2 M addresses with a country from two feeds</title>',
  );
  t.match(dense, '<g class="blue0"><title>France FR: 100 addresses');
  t.match(dense, '<g class="unknown"><title>France FR: no addresses with a country from two feeds</title>');
  t.match(dense, '<g class="unknown"><title>Fiji FJ: no addresses</title>');
  t.same(tablesOf(page)['IPv4 addresses of 2 of 2 countries'], [
    ['Country', 'IPv4 addresses', 'City', 'Region', 'Country only', 'Compared', 'Disagree'],
    ['Japan JP', '4 M', '75 %', '0 %', '25 %', '50 %', '25 %'],
    ['France FR', '100', '0 %', '100 %', '0 %', '0 %', ''],
  ]);
  t.notOk(tablesOf(page)['Other counters'], 'these counters are not listed again');
  t.end();
});

t.test('the disagreement of feeds is a symmetric matrix of shares', (t) => {
  const page = renderReport({ manifest: release(COUNTERS) });
  const tables = tablesOf(page);
  t.same(tables['Other country'], [
    ['Feed', 'dbip', 'geolite2', 'qqwry'],
    ['dbip', '', '12.5 %', '&lt;0.1 %'],
    ['geolite2', '12.5 %', '', ''],
    ['qqwry', '&lt;0.1 %', '', ''],
  ]);
  t.same(tables['Cities more than 50 km apart']![1], ['dbip', '', '0 %']);
  t.match(page, '<span class="heat orange3" title="dbip and geolite2: 125 of 1,000 addresses">');
  t.end();
});

const CHANGES = {
  since: 'the older one',
  removed: 50,
  countries: {
    FR: { ipv4Addresses: 100, gained: 0, changed: 0 },
    JP: { ipv4Addresses: 1000, gained: 100, changed: 50 },
  },
};

t.test('the changes in the manifest have a map, a column and a sentence', (t) => {
  const page = renderReport({ manifest: { ...release(COUNTERS), changes: CHANGES } }).replace(/\n\s*/g, ' ');
  t.match(page, 'Change: addresses with another country, region or city than in the older one');
  t.match(
    page,
    /<g class="blue3" ?><title>Japan JP: 150 of 1,000 addresses changed, 100 of them the country</,
  );
  t.match(page, '200 of 1,150 IPv4 addresses in geo.mmdb (17.4 %) have another country');
  const [heads, japan, france] = tablesOf(page)['IPv4 addresses of 2 of 2 countries']!;
  t.same(
    [heads, japan, france].map((row) => row!.at(-1)),
    ['Changed', '15 %', '0 %'],
  );
  t.end();
});

t.test('changes since another release than the one that is compared are left out', (t) => {
  const manifest = { ...release(COUNTERS), changes: CHANGES };
  const last = exampleManifest(BUILT - 86_400);
  t.notMatch(renderReport({ manifest, last }), 'Change: addresses');
  const since = { ...CHANGES, since: last.id };
  t.match(renderReport({ manifest, last, changes: since }), `region or city than in ${last.id}`);
  t.match(renderReport({ manifest: { ...manifest, changes: since }, last }), 'Change: addresses');
  t.end();
});

t.test('a release without these counters has no maps and no matrix', (t) => {
  for (const manifest of [exampleManifest(BUILT), release({})]) {
    t.notMatch(renderReport({ manifest }), /id="countries"|id="pairs"|land-JP/);
  }
  t.end();
});

t.test('hostile names in counters are escaped', (t) => {
  const hostile = '"><script>x</script>';
  const page = renderReport({
    manifest: release({
      ...COUNTERS,
      [`agreement.countries.${hostile}.city`]: 9e9,
      [`agreement.pairs.${hostile}.dbip.countries`]: 5,
      'agreement.countries.constructor.toString': 1,
    }),
  });
  t.notMatch(page, /<script/);
  t.match(page, '&quot;&gt;&lt;script&gt;x&lt;/script&gt;');
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is a package of its own
  t.doesNotThrow(() => void new XMLParser().parse(page.replace('<!doctype html>', ''), true));
  t.end();
});
