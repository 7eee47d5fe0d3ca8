import t from 'tap';
import { GeofeedReferences } from '../input/registrations/geofeed-blocks.js';
import { downloadFoundGeofeeds, FOUND_LIMITS, planFoundGeofeeds } from './found-geofeeds.js';
import { Mirror } from './mirror.js';
import { serveFile, startPublisher, TEST_LIMITS } from './testing/publisher.js';

/** Returns the URLs to download, in order. */
function planned(
  rows: readonly (readonly [network: string, url: string])[],
  limits = { geofeeds: 9, perHost: 9 },
) {
  const references = new GeofeedReferences();
  for (const [network, url] of rows) t.equal(references.add({ network, url }), undefined);
  return planFoundGeofeeds(references.blocks(), new Set(), limits).map(({ download }) => download.url);
}

t.test('the geofeeds of the largest space come first', (t) => {
  const urls = planned([
    ['5.5.0.0/24', 'https://small.example.net/'],
    ['5.6.0.0/16', 'https://large.example.net/'],
    ['2a00:5::/32', 'https://six.example.net/'],
    ['5.6.0.0/17', 'https://inside.example.net/'],
    ['5.6.128.0/17', 'https://other.example.net/'],
  ]);
  t.same(
    urls,
    [
      'https://six.example.net/',
      'https://inside.example.net/',
      'https://other.example.net/',
      'https://small.example.net/',
    ],
    'none for a URL whose blocks all belong to more specific registrations',
  );
  t.end();
});

t.test('the number of geofeeds is limited, in all and by host', (t) => {
  const rows = Array.from({ length: 6 }, (_, n) => [`5.5.${n}.0/24`, `https://a.example.net/${n}`] as const);
  const other = ['5.6.0.0/25', 'https://b.example.net/'] as const;
  t.same(planned([...rows, other], { geofeeds: 9, perHost: 2 }), [
    'https://a.example.net/0',
    'https://a.example.net/1',
    'https://b.example.net/',
  ]);
  t.equal(planned([...rows, other], { geofeeds: 3, perHost: 9 }).length, 3);
  t.end();
});

t.test('braces in a URL are no variables, and a fragment is no other geofeed', (t) => {
  t.same(
    planned([
      ['5.5.0.0/24', 'https://a.example.net/{HOME}#one'],
      ['5.6.0.0/24', 'https://a.example.net/{HOME}#two'],
    ]),
    ['https://a.example.net/%7BHOME%7D'],
  );
  t.end();
});

t.test(
  'the time of a night and the size of all copies are limited, and the other geofeeds wait',
  async (t) => {
    const references = new GeofeedReferences();
    for (let n = 0; n < 5; n++)
      references.add({ network: `5.5.${n}.0/24`, url: `https://a.example.net/${n}` });
    const plan = planFoundGeofeeds(references.blocks(), new Set());
    const row = '5.5.0.0/24,DE,,,\n';
    const mirror = await startPublisher(t, serveFile(row));
    const context = {
      since: new Date(8.64e15),
      mirror: new Mirror(mirror.url),
      acceptSmall: false,
      readVariable: () => undefined,
      now: () => new Date(),
    };
    const textOf = async (limits: Partial<typeof FOUND_LIMITS>): Promise<string> => {
      const all = { ...FOUND_LIMITS, each: TEST_LIMITS, ...limits };
      const { text } = await downloadFoundGeofeeds(plan, { ...context, dir: t.testdir() }, { limits: all });
      return text;
    };
    t.equal(
      await textOf({ nightMs: 0 }),
      'registrations name 5 geofeeds: 0 downloaded, 0 unchanged, 0 failed, 5 not requested yet',
    );
    t.equal(
      await textOf({ totalBytes: 2 * row.length }),
      'registrations name 5 geofeeds: 2 downloaded, 0 unchanged, 0 failed, 3 not requested yet',
    );
    t.equal(mirror.asked.length, 2);
  },
);
