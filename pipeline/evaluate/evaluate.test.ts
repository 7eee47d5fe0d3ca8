import t, { type Test } from 'tap';
import { distanceKm } from '../gazetteer/distance.js';
import { citySubject, verdictSubject } from './answers.js';
import { evaluate, type Evaluation, type Section } from './evaluate.js';
import { InputSpace } from './input-space.js';
import { cityFile, ID, truthRow, verdictFile, WORLD } from './testing/known-world.js';
import { resolveTruth } from './truth.js';

const TRUTH = [
  '1.0.0.0/24,FR,FR-ARA,Lyon',
  '1.0.1.0/24,FR,FR-ARA,Lyon',
  '1.0.2.0/24,FR,FR-IDF,Paris',
  '1.0.4.0/22,JP,JP-13,Tokyo',
  '1.0.8.0/24,FR',
  '2a00:1::/32,FR,FR-IDF,Paris',
  '2a00:2::/32,JP,,',
];

/** The claims of a feed about TRUTH, in its order. */
const VERDICTS = {
  '1.0.0.0/24': { country: 'FR', region: 'FR-ARA', city_id: ID.lyon, city: 'Lyon' },
  '1.0.1.0/24': { country: 'FR', region: 'FR-ARA', city_id: ID.villeurbanne, city: 'Villeurbanne' },
  '1.0.2.0/24': { country: 'FR', city: 'Paris' },
  '1.0.4.0/22': { country: 'FR', region: 'FR-IDF', city_id: ID.paris, city: 'Paris' },
  '1.0.8.0/24': { latitude: 0, longitude: 0 },
  '2a00:1::/32': { country: 'FR' },
};

const FEED_OPERATORS = new Map([
  ['1.0.0.0/24', 'one'],
  ['1.0.1.0/24', 'one'],
  ['1.0.4.0/22', 'two'],
  ['9.9.9.0/24', 'three'],
]);

function trial(t: Test, own?: Readonly<Record<string, object>>): Evaluation {
  const { places } = resolveTruth(
    TRUTH.map((text, index) => truthRow(text, index + 1)),
    WORLD,
  );
  const geo = {
    '1.0.0.0/21': {
      country: { iso_code: 'JP' },
      subdivisions: [{ iso_code: '13' }],
      city: { geoname_id: ID.tokyo },
    },
  };
  return evaluate({
    places,
    subjects: [
      verdictSubject('feed', verdictFile(t, VERDICTS), WORLD),
      citySubject('geo.mmdb', cityFile(t, geo), WORLD),
    ],
    inputSpace: own && new InputSpace(verdictFile(t, own)),
    operators: FEED_OPERATORS,
  });
}

function section({ sections }: Evaluation, of: string): Section {
  const found = sections.find((section) => section.of === of);
  if (!found) throw new Error(`no section ${of}`);
  return found;
}

const VILLEURBANNE_KM = distanceKm(
  { latitude: 45.7485, longitude: 4.8467 },
  { latitude: 45.766, longitude: 4.8795 },
)!;

t.test('every level is counted over the places with a truth at that level', (t) => {
  const evaluation = trial(t);
  t.equal(evaluation.places, 7);
  t.same(evaluation.excluded, { override: 0, geofeed: 0, cloud: 0, exchange: 0 });
  const [feed, geo] = section(evaluation, 'all places').rows;
  t.same(feed, {
    subject: 'feed',
    country: 4 / 7,
    region: 2 / 5,
    cityId: 1 / 5,
    cityName: 2 / 5,
    within50Km: 2 / 5,
    answered: 5 / 7,
    medianKm: VILLEURBANNE_KM,
    distances: 3,
    outcomes: {
      country: { asked: 7, right: 4, wrong: 1, absent: 2 },
      region: { asked: 5, right: 2, wrong: 1, absent: 2 },
      cityId: { asked: 5, right: 1, wrong: 3, absent: 1 },
      cityName: { asked: 5, right: 2, wrong: 2, absent: 1 },
      within50Km: { asked: 5, right: 2, wrong: 1, absent: 2 },
    },
  });
  t.match(geo, {
    subject: 'geo.mmdb',
    country: 1 / 7,
    region: 1 / 5,
    cityId: 1 / 5,
    cityName: 0,
    answered: 4 / 7,
    distances: 4,
    outcomes: { cityName: { asked: 5, right: 0, wrong: 4, absent: 1 } },
  });
  t.ok(Math.abs(geo!.medianKm! - 9700) < 100, 'Tokyo for Paris or Lyon, the lower of the middle two');
  t.end();
});

t.test('places are divided by family and continent, and empty parts are omitted', (t) => {
  const evaluation = trial(t);
  t.same(
    evaluation.sections.map(({ by, of, places }) => [by, of, places]),
    [
      ['all', 'all places', 7],
      ['addresses', 'IPv4 addresses', 5],
      ['addresses', 'IPv6 /64s', 2],
      ['family', 'IPv4', 5],
      ['family', 'IPv6', 2],
      ['continent', 'AS', 2],
      ['continent', 'EU', 5],
      ['operator', 'mean of 2 operators', 3],
      ['operator', 'one', 2],
      ['operator', 'two', 1],
    ],
  );
  t.match(section(evaluation, 'IPv4').rows[0], { country: 3 / 5, region: 2 / 4 });
  t.match(section(evaluation, 'IPv6').rows[0], { country: 1 / 2, region: 0, cityId: 0 });
  t.match(section(evaluation, 'EU').rows[0], { country: 4 / 5, region: 2 / 4 });
  t.match(section(evaluation, 'AS').rows[0], { country: 0, answered: 1 / 2 });
  t.end();
});

t.test('the weight is the number of addresses outside longer prefixes', (t) => {
  const [feed] = section(trial(t), 'IPv4 addresses').rows;
  t.equal(feed?.country, (3 * 256) / (4 * 256 + 1024));
  t.equal(feed?.cityId, 256 / (3 * 256 + 1024));
  t.ok(feed!.medianKm! > 9000, 'the /22 outweighs two /24');
  t.equal(feed?.distances, 3, 'distances are counted in places');
  t.end();
});

t.test('operators have the same weight in the mean, whatever their number of places', (t) => {
  const evaluation = trial(t);
  t.match(section(evaluation, 'one').rows[0], { country: 1, cityId: 1 / 2, cityName: 1 / 2 });
  t.match(section(evaluation, 'two').rows[0], { country: 0, cityId: 0, cityName: 0 });
  const [mean] = section(evaluation, 'mean of 2 operators').rows;
  t.match(mean, {
    country: 1 / 2,
    region: 1 / 2,
    cityId: 1 / 4,
    cityName: 1 / 4,
    within50Km: 1 / 2,
    answered: 1,
  });
  t.notOk('medianKm' in mean!, 'the mean has no medians');
  t.notOk('outcomes' in mean!, 'the mean has no counts');
  t.end();
});

t.test('truth in the space of geofeeds and overrides is excluded', (t) => {
  const evaluation = trial(t, {
    '1.0.0.0/23': { country: 'FR', basis: 'geofeed' },
    '1.0.5.0/24': { country: 'JP', basis: 'override' },
    '1.0.8.0/24': { country: 'FR', basis: 'registration' },
  });
  t.same(evaluation.excluded, { override: 1, geofeed: 2, cloud: 0, exchange: 0 });
  t.same(evaluation.excludedRows.map(({ reason }) => reason).sort(), ['geofeed', 'geofeed', 'override']);
  t.equal(evaluation.places, 4);
  t.match(section(evaluation, 'all places').rows[0]?.outcomes?.country, {
    asked: 4,
    right: 2,
    wrong: 0,
    absent: 2,
  });
  t.notOk(
    evaluation.sections.find(({ of }) => of === 'one'),
    'nothing is left of that operator',
  );
  t.end();
});

t.test('without remaining truth there are no sections', (t) => {
  const evaluation = trial(t, { '::/0': { country: 'FR', basis: 'geofeed' } });
  t.equal(evaluation.places, 0);
  t.same(evaluation.sections, []);
  t.end();
});

t.test('a feed without an answer is absent at every level, not wrong', (t) => {
  const { places } = resolveTruth([truthRow('1.0.0.0/24,FR,FR-ARA,Lyon')], WORLD);
  const silent = { name: 'silent', answerAt: () => undefined };
  const { sections } = evaluate({ places, subjects: [silent], inputSpace: undefined, operators: new Map() });
  const absent = { asked: 1, right: 0, wrong: 0, absent: 1 };
  t.same(sections[0]?.rows, [
    {
      subject: 'silent',
      country: 0,
      region: 0,
      cityId: 0,
      cityName: 0,
      within50Km: 0,
      answered: 0,
      distances: 0,
      outcomes: { country: absent, region: absent, cityId: absent, cityName: absent, within50Km: absent },
    },
  ]);
  t.same(
    sections.filter(({ by }) => by === 'operator'),
    [],
    'no operators, no mean of them',
  );
  t.end();
});
