import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Calibration } from '../evaluate/calibrate/calibrate.js';
import type { ReleaseEvaluation } from './evaluate.js';
import { build, copyOutput, ipatlas, outputFolder, served, type Ended } from './testing/command-line.js';

const OUTPUT = outputFolder(t);
await build(t, { OUTPUT, SOURCE_DATE_EPOCH: '1795046400' });

/** Networks of the bundled GeoLite2, two of them in the bundled geofeeds and overrides, and invalid rows. */
const TRUTH = [
  'prefix,country,region,city',
  '1.0.1.0/24,CN,CN-GD,Guangzhou',
  '2001:660::/32,FR,FR-75C,Paris',
  '77.91.126.0/25,US,US-NJ,',
  '8.8.0.0/16,US,,',
  '24.152.41.0/24,BR,,',
  'nonsense,FR,,',
  ',,,',
];
const OPERATORS = ['1.0.1.0/24,one', '2001:660::/32,two', '24.152.41.0/24,two', 'nonsense,two'];

const FILES = t.testdir({
  'truth.csv': TRUTH.join('\n'),
  'operators.csv': OPERATORS.join('\n'),
  'other.csv': 'prefix,city,country\n1.0.1.0/24,Guangzhou,CN\n',
});
const truth = join(FILES, 'truth.csv');
const operators = join(FILES, 'operators.csv');

function evaluated({ code, stdout, stderr }: Ended): ReleaseEvaluation {
  if (code !== 0) throw new Error(`exit code ${code}:\n${stderr}`);
  return JSON.parse(stdout) as ReleaseEvaluation;
}

t.test('JSON has every count of every feed and of the merge', async (t) => {
  const ended = await ipatlas(
    t,
    { OUTPUT },
    'evaluate',
    '--truth',
    truth,
    '--operators',
    operators,
    '--json',
  );
  const evaluation = evaluated(ended);
  t.match(evaluation, {
    release: (await served(OUTPUT)).id,
    places: 3,
    excluded: { geofeed: 1, override: 1 },
    truth: {
      file: truth,
      setAside: [{ reason: 'address', line: 7, excerpt: 'nonsense,FR,,' }],
      partly: [{ reason: 'city has no coordinates', line: 3, excerpt: '2001:660::/32' }],
      notes: { unknown: 1 },
    },
    operators: { file: operators, setAside: [{ reason: 'address', line: 4 }] },
  });
  const [all] = evaluation.sections;
  const { manifest } = await served(OUTPUT);
  const verdicts = manifest.files.flatMap(({ name }) => /^sources\/(.+)\.mmdb$/.exec(name)?.[1] ?? []);
  const subjects = all!.rows.map(({ subject }) => subject);
  t.same(subjects.slice(0, verdicts.length), verdicts);
  t.ok(subjects.includes('geo.mmdb'));
  t.match(
    all!.rows.find(({ subject }) => subject === 'geo.mmdb'),
    {
      outcomes: {
        country: { asked: 3, right: 2, wrong: 1, absent: 0 },
        region: { asked: 2, right: 2 },
        cityId: { asked: 2, right: 2 },
        cityName: { asked: 2, right: 2 },
        within50Km: { asked: 1, right: 1 },
      },
      distances: 1,
    },
  );
  t.match(
    evaluation.sections.map(({ of }) => of),
    ['all places', 'IPv4 addresses', 'IPv6 /64s', 'IPv4', 'IPv6', 'AS', 'EU', 'SA', 'mean of 2 operators'],
  );
});

t.test('text output has a table, and every row that was not used', async (t) => {
  const { code, stdout } = await ipatlas(t, { OUTPUT }, 'evaluate', '--truth', truth);
  t.equal(code, 0);
  t.match(stdout, /^3 places evaluated; 2 excluded .* a geofeed \(1\), an override \(1\), or the .* there$/m);
  t.match(stdout, /^geo\.mmdb +66\.7 +100\.0 +100\.0 +100\.0 +100\.0 +\d+\.\d \(1\) +100\.0$/m);
  t.match(stdout, 'rows of truth.csv not used:\n  address 1, line 7 (nonsense,FR,,)\n');
  t.match(stdout, 'without a place 1');
  t.notMatch(stdout, 'family: IPv4');
  const every = await ipatlas(t, { OUTPUT }, 'evaluate', '--truth', truth, '--by', 'family', 'continent');
  t.match(every.stdout, /^family: IPv4 \(2 places\)$/m);
  t.match(every.stdout, /^continent: SA \(1 places\)$/m);
  t.notMatch(every.stdout, /^all places/m);
});

t.test('a missing file is a usage error', async (t) => {
  const missing = join(FILES, 'missing.csv');
  const cases: readonly (readonly string[])[] = [
    [],
    ['--truth', missing],
    ['--truth', FILES],
    ['--truth', truth, '--operators', missing],
    ['--truth', truth, '--by', 'planet'],
  ];
  for (const flags of cases) {
    const { code, stdout, stderr } = await ipatlas(t, { OUTPUT }, 'evaluate', ...flags);
    t.equal(code, 64, flags.join(' '));
    t.equal(stdout, '');
    t.match(stderr, /--truth|file not found|planet/);
  }
});

t.test('a truth file with other columns is refused', async (t) => {
  const path = join(FILES, 'other.csv');
  const { code, stderr } = await ipatlas(t, { OUTPUT }, 'evaluate', '--truth', path);
  t.equal(code, 1);
  t.match(stderr, /column 2 is "city"/);
});

t.test('nothing is measured without a release, its gazetteer and its tables', async (t) => {
  const refusal = async (output: string): Promise<string> => {
    const { code, stdout, stderr } = await ipatlas(t, { OUTPUT: output }, 'evaluate', '--truth', truth);
    t.equal(code, 1);
    t.equal(stdout, '');
    t.equal(stderr.trim().split('\n').length, 1, 'one line');
    return stderr;
  };
  t.match(await refusal(t.testdir()), /no release yet/);

  const forgetful = copyOutput(t, OUTPUT);
  const kept = join(forgetful, 'cache/gazetteer');
  t.ok(readdirSync(kept).length > 0);
  rmSync(kept, { recursive: true });
  t.match(await refusal(forgetful), /gazetteer no longer cached: run make build-data ARGS=--force/);

  const torn = copyOutput(t, OUTPUT);
  const { dir } = await served(torn);
  rmSync(join(dir, 'sources/own.mmdb'));
  t.match(await refusal(torn), /sources\/own\.mmdb.*file not found/);
});

t.test(
  'calibrate fits the tables of the merge to the statements in the release and in a truth file',
  async (t) => {
    const { code, stdout, stderr } = await ipatlas(
      t,
      { OUTPUT },
      'calibrate',
      '--truth',
      truth,
      '--operators',
      operators,
      '--json',
    );
    t.equal(code, 0, stderr);
    const { networks, weights, points, reliability } = JSON.parse(stdout) as Calibration;
    t.ok(networks > 100, `${networks} networks`);
    t.same(
      weights.map(({ level }) => level),
      ['country', 'region', 'city'],
    );
    const { fitted, present, numbers } = weights[0]!;
    t.ok(fitted.all >= present.all, 'fitted weights are not worse than the present ones');
    t.ok(numbers.every(({ spread: [least, most] }) => least <= most));
    t.same(Object.keys(points), ['country', 'region', 'city']);
    t.equal(reliability.length, 3);
    t.match(stderr, /^fitting the confidences, \d+ times without others of \d+ operators …$/m);
    const text = await ipatlas(t, { OUTPUT }, 'calibrate');
    t.match(text.stdout, /^weight +present +fitted +spread +networks$/m);
  },
);

t.test('calibrate needs operators for a truth file', async (t) => {
  t.match(await ipatlas(t, { OUTPUT }, 'calibrate', '--truth', truth), {
    code: 64,
    stderr: 'ipatlas: --truth and --operators belong together: a fit counts by operator\n',
  });
});

t.test('the manifest has the scorecard of the night', async (t) => {
  const { manifest } = await served(OUTPUT);
  const { scorecard } = manifest.datasets!.geo!;
  t.ok(scorecard!.networks > 100 && scorecard!.operators > 5);
  t.same(Object.keys(scorecard!.all).includes('country'), true);
});
