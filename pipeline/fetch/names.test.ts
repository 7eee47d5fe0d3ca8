import t from 'tap';
import type { PublishedFile } from '../input/published-source.js';
import { timesFor, publicUrl, secretUrl, variablesOf } from './download-address.js';
import { planDownloads } from './download-plan.js';
import { dispositionName, fileName } from './file-name.js';
import { parseGeofeedList } from './geofeed-list.js';
import { parseRetryAfter } from './transfer.js';

const DATED: PublishedFile = {
  folder: 'a',
  name: 'db_*.zip',
  container: 'zip',
  required: true,
  take: 'latest',
};
const url = (text: string): URL => new URL(`https://example.org/${text}`);

t.test('a file has the publisher’s name if that matches the pattern', (t) => {
  const name = (urls: string[], disposition?: string, saveAs?: string) =>
    fileName(DATED, { urls: urls.map(url), disposition, saveAs });
  t.equal(name(['db_1.zip?x=y'], 'attachment; filename=db_2.zip'), 'db_1.zip');
  t.equal(name(['download', 'x/db_3.zip'], 'attachment; filename=db_2.zip'), 'db_3.zip', 'after a redirect');
  t.equal(name(['download'], 'attachment; filename="db_2.zip"', 'db_0.zip'), 'db_2.zip');
  t.equal(name(['download'], undefined, 'db_0.zip'), 'db_0.zip');
  t.equal(name(['download'], 'inline'), undefined);
  t.equal(name(['db_%2e%2e%2fx.zip', 'db_%.zip']), undefined);
  t.equal(
    fileName({ ...DATED, name: 'x.csv' }, { urls: [], disposition: undefined, saveAs: undefined }),
    'x.csv',
  );
  t.equal(dispositionName("attachment; filename=x; filename*=UTF-8''db%5F4.zip"), 'db_4.zip');
  t.equal(dispositionName("attachment; filename*=UTF-8''%zz"), undefined);
  t.end();
});

t.test('placeholders of a URL are variables, years and months', (t) => {
  const download = {
    url: 'https://x.org/{yyyy}/{mm}?t={TOKEN}',
    sha256Url: 'https://x.org/{SUM}',
    minBytes: 1,
  };
  t.same(variablesOf(download), ['TOKEN', 'SUM']);
  t.same(variablesOf({ ...download, basicAuth: ['USER', 'TOKEN'] }), ['USER', 'TOKEN', 'SUM']);
  const [tonight, before] = timesFor(download, new Date('2027-01-31T23:59:59Z'));
  t.equal(publicUrl(download.url, tonight!), 'https://x.org/2027/01?t={TOKEN}');
  t.equal(publicUrl(download.url, before!), 'https://x.org/2026/12?t={TOKEN}');
  t.equal(timesFor({ url: 'https://x.org/{TOKEN}', minBytes: 1 }, new Date()).length, 1);
  const asked = secretUrl('https://x.org/?t={TOKEN}&u={NONE}', new Map([['TOKEN', 'a&b {C}']]));
  t.same(
    [...asked.searchParams],
    [
      ['t', 'a&b {C}'],
      ['u', ''],
    ],
  );
  t.throws(() => secretUrl('{TOKEN}', new Map([['TOKEN', 'hush']])), { message: 'not a URL: {TOKEN}' });
  t.end();
});

t.test('equal downloads are planned once, and a variable cannot choose the host', (t) => {
  const download = { url: 'https://example.org/db.zip', minBytes: 1 };
  const [one, ...others] = planDownloads([{ ...DATED, download }, DATED, { ...DATED, download }]);
  t.match(one, { id: 'a/db_*.zip', host: 'example.org', files: { length: 1 } });
  t.same(others, []);
  const bad = { ...download, url: 'https://example.org{HOST}/db.zip' };
  t.throws(() => planDownloads([{ ...DATED, download: bad }]), TypeError);
  const withUser = { ...download, url: 'https://u:hush@example.org/db.zip?hush' };
  t.throws(() => planDownloads([{ ...DATED, download: withUser }]), {
    message: /https:\/\/example.org\/db.zip$/,
  });
  t.end();
});

t.test('Retry-After is seconds or a date, a week at most', (t) => {
  const now = new Date('2026-11-21T00:00:00Z');
  t.equal(parseRetryAfter('120', now), 120_000);
  t.equal(parseRetryAfter('Sat, 21 Nov 2026 01:00:00 GMT', now), 3_600_000);
  t.equal(parseRetryAfter('Fri, 20 Nov 2026 01:00:00 GMT', now), 0);
  t.equal(parseRetryAfter('99999999999', now), 7 * 24 * 3_600_000);
  for (const text of [undefined, 'soon', '']) t.equal(parseRetryAfter(text, now), undefined);
  t.end();
});

t.test('a list of geofeeds has a URL per line and comments, and duplicates are ignored', (t) => {
  const list = [
    '\u{feff}# ours',
    'https://a.example/geo.csv  # one',
    '',
    'https://a.example/geo.csv',
    'geo.csv',
  ];
  const { files, badLines } = parseGeofeedList(
    [
      ...list,
      'https://u:p@b.example/',
      'https://:p@b.example/',
      'http://b.example/geo.csv',
      'http://127.0.0.1:8080/geo.csv',
      'HTTPS://B.example',
    ].join('\r\n'),
  );
  t.same(badLines, [5, 6, 7, 8]);
  t.match(files, [
    {
      folder: 'own',
      name: /^geofeeds\/a\.example-[0-9a-f]{8}\.csv$/,
      download: { url: 'https://a.example/geo.csv', maxBytes: 50_000_000 },
    },
    { download: { url: 'http://127.0.0.1:8080/geo.csv' } },
    {
      folder: 'own',
      name: /^geofeeds\/b\.example-[0-9a-f]{8}\.csv$/,
      download: { url: 'https://b.example/' },
    },
  ]);
  t.equal(files.length, 3);
  t.end();
});
