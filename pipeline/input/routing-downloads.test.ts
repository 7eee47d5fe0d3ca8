import t from 'tap';
import { DEFAULT_COLLECTORS, DOWNLOADS, isCollector, ribDownloads } from './routing-downloads.js';
import { matchesName } from './name-pattern.js';

t.test('collector names are those of RIS and RouteViews', (t) => {
  const good = [
    ...DEFAULT_COLLECTORS,
    'rrc26',
    'route-views2',
    'route-views6',
    'route-views',
    'route-views.eqix',
  ];
  for (const name of good) t.ok(isCollector(name), name);
  const bad = [
    '',
    'rrc',
    'rrc0',
    'rrc000',
    'RRC00',
    'route-views.',
    'route-views/../x',
    'rrc00/',
    'views',
    'rrc00 ',
  ];
  for (const name of bad) {
    t.notOk(isCollector(name), name);
    t.throws(() => ribDownloads([name]), TypeError);
  }
  t.end();
});

t.test('a dump is stored in the folder of its collector under the name of its publisher', (t) => {
  const [ris, routeViews] = ribDownloads(['rrc00', 'route-views.sg']);
  t.ok(matchesName(ris!.name, 'rrc00/bview.20261117.0800.gz'));
  t.ok(matchesName(routeViews!.name, 'route-views.sg/rib.20261117.0600.bz2'));
  t.notOk(matchesName(ris!.name, 'rrc12/bview.20261117.0800.gz'));
  t.end();
});

t.test('contacts are never downloaded, and every URL is https', (t) => {
  const urls = Object.entries(DOWNLOADS).flatMap(([name, { url, md5Url, fallback }]) => {
    t.ok(url.endsWith(`/${name}`), name);
    return [url, md5Url, fallback?.url].filter((one) => one !== undefined);
  });
  for (const url of urls) {
    t.match(url, /^https:\/\//);
    t.notMatch(url, /poc|dump/);
  }
  t.end();
});
