import { XMLParser } from 'fast-xml-parser';
import t from 'tap';
import type { ReleaseComparison } from '../compare-releases.js';
import type { Manifest, ManifestInput } from '../contract.js';
import { sha256Text } from '../digest.js';
import {
  datasetsWith,
  exampleFile,
  exampleInput,
  exampleManifest,
  exampleScorecard,
} from '../testing/example-release.js';
import { tablesOf } from '../testing/report-tables.js';
import { renderReport } from './render-report.js';
import type { ReportSubject } from './subject.js';

const DAY = 86_400;
const BUILT = 1_794_873_600;

t.test('the page of an example release has the expected tables', (t) => {
  const page = renderReport({ manifest: richManifest(), last: olderManifest() });
  t.matchOnly(tablesOf(page)['Gates'], [
    ['Gate', 'Outcome', 'Found', 'Bound'],
    ['tree verifies', '✓ passed', 'all', 'all'],
  ]);
  t.match(page, /<th scope="row">tree verifies<\/th>/, 'the first cell is the heading of its row');
  t.matchOnly(tablesOf(page)['Feeds and lists'], [
    ['Input', 'Publisher', 'Licence', 'Terms', 'Files', 'Rows accepted', 'Rejected'],
    ['own', 'own publisher', 'CC0', 'free', '1', '1,200', '1 under 0.1 %'],
    ['tor', 'tor publisher', 'CC0', 'free', '1', '7', '1 12.5 %'],
  ]);
  t.matchOnly(tablesOf(page)['Files refused or not downloaded, and their replacements'], [
    ['File', 'Input', 'Why', 'Found', 'Used instead'],
    ['tor/details.json', 'tor', 'far fewer rows than before', '3 rows, 40 before', 'last good copy'],
  ]);
  t.matchOnly(tablesOf(page)['Datasets'], [
    ['File', 'Networks', 'IPv4 addresses', 'IPv6 /64s', 'Records', 'Size', 'Terms'],
    ['geo.mmdb', '3 same', '1,100 +100 (10 %)', '2,000 same', '2', '5 bytes', 'free'],
  ]);
  t.matchOnly(tablesOf(page)['geo.mmdb: addresses by country'], [
    ['Country', 'IPv4 addresses', 'Share', 'Change', 'IPv6 /64s', 'Share', 'Change'],
    ['Japan JP', '900', '81.8 %', '+100 (12.5 %)', '0', '', 'same'],
    ['no country', '200', '18.2 %', 'same', '0', '', 'same'],
  ]);
  t.matchOnly(tablesOf(page)['Accepted rows, compared with the last release'], [
    ['Input', 'Now', 'Before', 'Change', 'Files'],
    ['own', '1,200', '1,000', '+200 (20 %)', '1 changed'],
    ['tor', '7', '', 'new', '1 added'],
    ['gone', '', '3', 'removed', '1 removed'],
  ]);
  t.equal(sha256Text(page), sha256Text(renderReport({ manifest: richManifest(), last: olderManifest() })));
  t.end();
});

t.test('the picture of RPKI states has their shares, and is absent without routes', (t) => {
  const pageOf = (counters: Record<string, number>): string =>
    renderReport({ manifest: { ...exampleManifest(BUILT), datasets: datasetsOf({ routing: counters }) } });
  const page = pageOf({ 'routes.rpki.valid': 2, 'routes.rpki.unknown': 1, 'routes.rpki.invalid': 1 });
  t.match(page, 'valid 2 (50 %), unknown 1 (25 %), invalid 1 (25 %)');
  t.notMatch(pageOf({ vrps: 1 }), /RPKI state of their origin/);
  t.end();
});

t.test('only inputs of both releases are listed as having new files', (t) => {
  const page = renderReport({ manifest: richManifest(), last: olderManifest() });
  t.match(page, /<li>New files: own\.<\/li>/);
  t.match(page, /<li>New inputs: tor\.<\/li>/);
  t.match(page, /<li>Removed inputs: gone\.<\/li>/);
  t.end();
});

t.test('rejected rows of all files of an input are counted by reason, with three examples each', (t) => {
  const input = exampleInput('own', 5);
  const example = (position: number) => ({ position, excerpt: `row ${position}` });
  const of = (count: number, ...positions: number[]) => ({ count, examples: positions.map(example) });
  const rejectionsOf = [
    { country: of(2, 1, 2), prefix: of(1, 3), 'an asn': of(1, 4) },
    { country: of(5, 5, 6, 7) },
  ];
  const files = rejectionsOf.map((rejections, i) => ({ ...input.files[0]!, id: `own/${i}`, rejections }));
  const page = renderReport({ manifest: { ...exampleManifest(BUILT), inputs: [{ ...input, files }] } });
  t.same(tablesOf(page)['Rejected rows by reason'], [
    ['Reason', 'Rows', 'Examples'],
    ['bad country code', '7', 'own/0:1 row 1 own/0:2 row 2 own/1:5 row 5'],
    ['an asn', '1', 'own/0:4 row 4'],
    ['prefix', '1', 'own/0:3 row 3'],
  ]);
  t.end();
});

t.test('refused files and the last good copies used instead are counted, if there are any', (t) => {
  const input = exampleInput('tor', 7);
  const pageWith = (lastGood: readonly boolean[]): string => {
    const files = lastGood.map((isOld, i) => ({ ...input.files[0]!, id: `tor/${i}`, lastGood: isOld }));
    return renderReport({ manifest: { ...exampleManifest(BUILT), inputs: [{ ...input, files }] } });
  };
  t.match(pageWith([true, false]), /1 last good copy used instead\./);
  t.match(pageWith([true, true]), /2 last good copies used instead\./);
  t.notMatch(pageWith([false]), /used instead\.|refused<\/a>/);
  t.end();
});

t.test('the report does not depend on copy dates; downloaded files have their publishers’ dates', (t) => {
  const dated = (modified: string, source: NonNullable<Manifest['source']>): Manifest => {
    const input = exampleInput('tor', 7);
    const files = input.files.map((file) => ({ ...file, modified }));
    return { ...exampleManifest(BUILT), source, inputs: [{ ...input, files }] };
  };
  const [old, young] = ['2026-10-18T00:00:00Z', '2026-11-17T00:00:00Z'] as const;
  for (const source of ['folder', 'fixtures'] as const) {
    const pages = [old, young].map((modified) => renderReport({ manifest: dated(modified, source) }));
    t.equal(pages[0], pages[1], source);
  }
  const tables = tablesOf(renderReport({ manifest: dated(old, 'live') }));
  t.same(tables['Feeds and lists']![1]!.at(-1), '30 days');
  t.same(
    tables['Files']!.map((cells) => cells.slice(1, 3)),
    [
      ['Modified', 'Age'],
      ['2026-10-18', '30 days'],
    ],
  );
  t.end();
});

t.test('rows of the registries do not count as rows of the list they are read with', (t) => {
  const registry = exampleInput('iana', 51).files[0]!;
  const input = exampleInput('tor', 7);
  const inputs = [{ ...input, files: [...input.files, registry] }, exampleInput('iana', 51)];
  const manifest: Manifest = { ...exampleManifest(BUILT), inputs };
  const page = renderReport({ manifest, last: { ...olderManifest(), inputs } });
  const tables = tablesOf(page);
  const [, tor, iana] = tables['Feeds and lists']!;
  t.same(tor!.slice(4, 7), ['1', '7', '1 12.5 %']);
  t.same(iana!.slice(4, 6), ['1', '51']);
  t.same(tables['Accepted rows, compared with the last release']![1]!.slice(0, 3), ['tor', '7', '7']);
  t.match(page, /<strong>58<\/strong> rows accepted/, 'each once');
  t.match(page, 'IANA’s registries of special-purpose space are read with every feed and list.');
  t.end();
});

t.test('texts of publishers are escaped', (t) => {
  const hostile = '<script>alert(1)</script>"\'&amp;\u202eevil\u0000\ud800 ]]>';
  const input: ManifestInput = {
    ...exampleInput('own', 5),
    publisher: hostile,
    licence: {
      name: hostile,
      url: 'javascript:alert(1)',
      attribution: `${hostile}<img src=x>`,
      terms: 'free',
    },
    refusals: [{ file: hostile, refusal: 'container', found: hostile, usedInstead: 'nothing' }],
    places: {
      total: 1,
      levels: { city: 0, region: 0, country: 1, none: 0 },
      unresolvedRegions: [],
      unresolvedCities: [{ country: 'JP', region: hostile, name: hostile, count: 1 }],
    },
  };
  input.files[0]!.rejections = { country: { count: 1, examples: [{ position: 2, excerpt: hostile }] } };
  const manifest = exampleManifest(BUILT);
  const gates = [{ name: hostile, passed: false, found: `${hostile}; ${hostile}`, bound: hostile }];
  const datasets = datasetsOf({ routing: { [hostile]: 1, [`a.${hostile}`]: 2 } });
  const page = renderReport({ manifest: { ...manifest, inputs: [input], gates, datasets } });
  t.notMatch(page, /<script|<img|javascript:/);
  t.notMatch(page, /[\u0000\u202e\ud800]/);
  t.match(page, '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;\\u{202e}evil\\x00\\u{d800}');
  t.doesNotThrow(() => parsed(page), 'well-formed');
  t.end();
});

t.test('an HTML link in a publisher’s attribution is rendered as a link, for web URLs only', (t) => {
  const attributed = (attribution: string): string => {
    const input = exampleInput('own', 5);
    const licence = { ...input.licence, attribution };
    return renderReport({ manifest: { ...exampleManifest(BUILT), inputs: [{ ...input, licence }] } });
  };
  t.match(
    attributed("<a href='https://db-ip.com'>DB-IP</a>"),
    /<a href="https:\/\/db-ip\.com"[^>]*>DB-IP<\/a>/,
  );
  t.match(attributed("<a href='data:text/html,x'>DB-IP</a>"), /<p class="attribution">DB-IP<\/p>/);
  t.match(attributed("<a href='https://a' onclick='b'>c</a>"), '&lt;a href=');
  t.end();
});

t.test('the page is well-formed and loads nothing', (t) => {
  const subjects = [
    { manifest: richManifest(), last: olderManifest() },
    { manifest: richManifest() },
    { manifest: exampleManifest(BUILT) },
    { manifest: richManifest(), last: olderManifest(), comparison: exampleComparison() },
    scoredSubject(),
  ];
  for (const subject of subjects) {
    const page = renderReport(subject);
    t.doesNotThrow(() => parsed(page), 'well-formed');
    t.notMatch(page, /\bsrc=|\bsrcset=|<link|<script|<iframe|<object|<embed|@import|url\(|\bon[a-z]+=/);
    t.match(
      page,
      /http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/,
    );
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    t.equal(new Set(ids).size, ids.length, 'every id is unique');
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g))
      t.ok(ids.includes(target), `#${target} exists`);
    const tableCount = page.split('<table').length - 1;
    t.equal(page.split('<caption>').length - 1, tableCount, 'every table has a caption');
    t.equal(page.split('<thead>').length - 1, tableCount, 'every table has headings');
    const pictures = page.match(/<svg[^>]*>/g) ?? [];
    const isDescribed = (svg: string): boolean =>
      /aria-hidden="true"|role="img"[^>]* aria-label="[^"]+"/.test(svg);
    t.ok(pictures.every(isDescribed), 'every picture has a label or is hidden from screen readers');
  }
  t.end();
});

t.test('the check of well-formedness rejects a damaged page', (t) => {
  const page = renderReport({ manifest: exampleManifest(BUILT) });
  for (const damaged of [page.replace('</table>', ''), page.replace('<h1', '<h1 class=x'), `${page}<p>`]) {
    t.throws(() => parsed(damaged));
  }
  t.end();
});

t.test('a first release, and a release without datasets, have a report', (t) => {
  const first = renderReport({ manifest: richManifest() });
  t.match(first, 'There is no earlier release to compare it with.');
  t.notOk(tablesOf(first)['Accepted rows, compared with the last release']);
  t.same(tablesOf(first)['Datasets']![1]!.slice(0, 3), ['geo.mmdb', '3', '1,100']);
  t.match(first, 'the trend begins with the next one');
  const old = renderReport({ manifest: exampleManifest(BUILT) });
  t.equal(old.match(/No counters: the release/g)!.length, 2, 'no counters of routes and proxies');
  const later = renderReport({ manifest: richManifest(), last: exampleManifest(BUILT - DAY) });
  t.match(tablesOf(later)['Routing table'], [['Counter', 'Count']], 'no counters to compare with');
  t.end();
});

t.test('a release is not compared with a release from fixtures, nor with itself', (t) => {
  const manifest: Manifest = { ...richManifest(), source: 'live' };
  const ofFixtures: Manifest = { ...olderManifest(), source: 'fixtures' };
  for (const last of [ofFixtures, manifest]) {
    t.equal(renderReport({ manifest, last }), renderReport({ manifest }));
  }
  t.match(renderReport({ manifest, last: { ...olderManifest(), source: 'live' } }), 'Compared with release');
  t.end();
});

t.test('the largest 40 files and 20 countries are shown', (t) => {
  const input = exampleInput('own', 5);
  const files = Array.from({ length: 1000 }, (_, i) => ({ ...input.files[0]!, id: `own/${i}.csv`, rows: i }));
  const codes = Array.from({ length: 26 }, (_, i) => `A${String.fromCharCode(65 + i)}`);
  const coverageByCountry = Object.fromEntries(
    codes.map((code, i) => [code, { networks: 1, ipv4Addresses: 100 + i, ipv6Slash64s: 0 }]),
  );
  const file = { ...exampleFile('x'), coverageByCountry };
  const tables = tablesOf(
    renderReport({ manifest: { ...exampleManifest(BUILT), inputs: [{ ...input, files }], files: [file] } }),
  );
  t.equal(tables['Files']!.length, 1 + 40);
  t.equal(tables['Files']![1]![0], 'own/999.csv');
  const countries = tables['geo.mmdb: addresses by country']!;
  t.equal(countries.length, 1 + 20 + 1);
  t.same(countries[1], ['Azerbaijan AZ', '125', '4.3 %', '0', '']);
  t.match(countries.at(-1), ['6 more', '615', '21 %', '0']);
  t.end();
});

t.test('a comparison by address is shown', (t) => {
  const tables = tablesOf(
    renderReport({ manifest: richManifest(), last: olderManifest(), comparison: exampleComparison() }),
  );
  t.match(tables['geo.mmdb: changes of addresses'], [
    ['Addresses', 'IPv4 addresses', 'IPv6 /64s'],
    ['unchanged', '900', '2,000'],
  ]);
  t.same(tables['geo.mmdb: moves between countries (1 of 1)']![1], ['CN', 'JP', '256', '0']);
  t.end();
});

/** A release of two feeds, one of them new, with counters of routes and proxies. */
function richManifest(): Manifest {
  const tor = exampleInput('tor', 7);
  const refusals: ManifestInput['refusals'] = [
    {
      file: 'tor/details.json',
      refusal: 'shrunk',
      found: '3 rows, 40 before',
      usedInstead: 'last good copy',
    },
  ];
  return {
    ...exampleManifest(BUILT, 'geo 2'),
    inputs: [exampleInput('own', 1200), { ...tor, refusals }],
    files: [exampleGeo('geo 2', 900)],
    datasets: datasetsOf({
      routing: { vrps: 224, 'routes.rpki.valid': 220, 'routes.rpki.unknown': 168, 'routes.rpki.invalid': 16 },
      isp: {
        'isp.types.VPN': 4301,
        'isp.types.TOR': 1363,
        'lists.tor.hits': 10,
        'lists.tor.networks': 10,
        'lists.aws.hits': 5,
        'lists.aws.networks': 6,
        'lists.x4bnet.hits': 30,
        'lists.x4bnet.networks': 31,
        'lists.x4bnet.dropped.edge': 2,
      },
    }),
  };
}

function olderManifest(): Manifest {
  return {
    ...exampleManifest(BUILT - DAY, 'geo 1'),
    inputs: [exampleInput('own', 1000), exampleInput('gone', 3)],
    files: [exampleGeo('geo 1', 800)],
    datasets: datasetsOf({
      routing: { vrps: 250, 'routes.rpki.valid': 220, 'routes.rpki.unknown': 168, 'routes.rpki.invalid': 8 },
    }),
  };
}

function exampleGeo(text: string, inJapan: number): Manifest['files'][number] {
  const of = (ipv4Addresses: number) => ({ networks: 1, ipv4Addresses, ipv6Slash64s: 0 });
  return {
    ...exampleFile(text, { ipv4Addresses: inJapan + 200 }),
    coverageByCountry: { JP: of(inJapan), none: of(200) },
  };
}

function datasetsOf(counters: Record<string, Record<string, number>>): NonNullable<Manifest['datasets']> {
  const made = (of: Record<string, number>) => ({ key: sha256Text('key'), files: [], counters: of });
  return Object.fromEntries(Object.entries(counters).map(([name, of]) => [name, made(of)]));
}

/** A release with a scorecard, and one before it. */
function scoredSubject(): ReportSubject {
  const datasets = datasetsWith(exampleScorecard());
  const manifest = { ...richManifest(), datasets };
  const last = { ...olderManifest(), datasets };
  return { manifest, last, trend: [last, manifest] };
}

function exampleComparison(): ReleaseComparison {
  const none = { ipv4Addresses: 0, ipv6Slash64s: 0 };
  const before = { ipv4Addresses: 1000, ipv6Slash64s: 2000 };
  return {
    before: 'the older one',
    after: 'the newer one',
    geo: {
      before,
      after: before,
      changes: {
        unchanged: { ipv4Addresses: 900, ipv6Slash64s: 2000 },
        added: none,
        removed: none,
        moved: none,
        changed: none,
      },
      moves: [{ from: 'CN', to: 'JP', ipv4Addresses: 256, ipv6Slash64s: 0 }],
      countries: [],
    },
    feeds: [],
  };
}

/** Parses the page as XML. Throws if it is not well-formed. */
function parsed(page: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is a package of its own
  return new XMLParser().parse(page.replace('<!doctype html>', ''), true);
}
