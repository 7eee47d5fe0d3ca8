import t from 'tap';
import { DIVISIONS, type Evaluation } from './evaluate.js';
import { formatEvaluation, formatNotes, formatRemarks } from './format-evaluation.js';

const EVALUATION: Evaluation = {
  places: 1234,
  excludedRows: [],
  excluded: { override: 2, geofeed: 10, cloud: 3, exchange: 1 },
  sections: [
    {
      by: 'all',
      of: 'all places',
      places: 1234,
      rows: [
        { subject: 'feed', country: 1, cityId: 0.5, answered: 1, medianKm: 0.04, distances: 1200 },
        { subject: 'silent', country: 0, cityId: 0, answered: 0, distances: 0 },
      ],
    },
    {
      by: 'family',
      of: 'IPv6',
      places: 4,
      rows: [{ subject: 'feed', country: 0.25, answered: 1, distances: 0 }],
    },
  ],
};

t.test(
  'shares are percentages, medians have their number of places, and a legend explains the columns',
  (t) => {
    const [counts, , title, header, feed, silent, , legend, ...more] = formatEvaluation(EVALUATION, [
      'all',
    ]).split('\n');
    t.equal(
      counts,
      '1,234 places evaluated; 16 excluded because the build used a geofeed (10), an override (2), ' +
        'or the region of a cloud (3) or exchange (1) there',
    );
    t.equal(title, 'all places (1,234 places)');
    t.match(header, /country +region +city id +city name +≤50 km +median \(of\) +answered$/);
    t.match(feed, /^feed +100\.0 +50\.0 +0\.0 \(1,200\) +100\.0$/);
    t.match(silent, /^silent +0\.0 +0\.0 +0\.0$/);
    t.match(legend, /^Columns are correct answers in percent of the places/);
    t.same(more, []);
    t.end();
  },
);

t.test('only the requested divisions are printed', (t) => {
  t.notMatch(formatEvaluation(EVALUATION, ['all']), /IPv6/);
  t.match(formatEvaluation(EVALUATION, DIVISIONS), /^family: IPv6 \(4 places\)$/m);
  t.equal(formatEvaluation(EVALUATION, ['operator']).split('\n').length, 1, 'no table, no legend');
  t.end();
});

t.test('remarks are counted by reason with their first lines, without control characters', (t) => {
  const remarks = [1, 2, 3, 4].map((line) => ({ reason: 'country', line, excerpt: `\u001b[2J${line}` }));
  t.same(formatRemarks([{ reason: 'quoting', line: 9, excerpt: '"x' }, ...remarks]), [
    '  country 4, line 1 (\\x1b[2J1), 2 (\\x1b[2J2), 3 (\\x1b[2J3), …',
    '  quoting 1, line 9 ("x)',
  ]);
  t.same(formatRemarks([]), []);
  t.end();
});

t.test('notes are printed as words', (t) => {
  t.same(formatNotes({ unknown: 1200, 'host-bits': 1, 'region-country': 2 }), [
    '  without a place 1,200',
    '  host bits set, masked 1',
    '  region of another country, region not compared 2',
  ]);
  t.end();
});
