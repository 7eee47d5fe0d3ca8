import t from 'tap';
import { DEFAULT_COLLECTORS } from '../input/routing-downloads.js';
import { buildSettings, concurrencyOf, liveSettings, type Environment } from './environment.js';
import { UsageError } from './usage-error.js';

const BARE: Environment = {
  feeds: '',
  projectDir: '',
  bundledFeedsDir: '',
  buildFeeds: '',
  buildJobs: '',
  datasetFeeds: '',
  outputDir: '',
  redisUrl: undefined,
  sourceDateEpoch: '',
  processors: 4,
  mirror: undefined,
  ribCollectors: '',
  relaysAreProxies: '',
  keepReleases: '',
  cacheGb: '',
  readVariable: () => undefined,
  processor: new URL('file:///processor.js'),
  stdin: process.stdin,
  stdout: process.stdout,
  results: process.stdout,
  stderr: process.stderr,
  progress: process.stderr,
  isTerminal: false,
};

const collectorsOf = (ribCollectors: string): readonly string[] =>
  liveSettings({ ...BARE, ribCollectors }, {}).collectors;

t.test('RIB_COLLECTORS names collectors, without duplicates; four by default', (t) => {
  t.same(collectorsOf(''), DEFAULT_COLLECTORS);
  t.same(collectorsOf(' rrc00, route-views6,rrc00'), ['rrc00', 'route-views6']);
  t.throws(() => collectorsOf('rrc00,rv2'), UsageError);
  t.throws(() => collectorsOf('rrc00,,../x'), {
    message: /^invalid RIB_COLLECTORS: "", "\.\.\/x": expected /,
  });
  t.end();
});

t.test('BUILD_JOBS is the number of jobs that run at the same time; one per processor by default', (t) => {
  t.equal(concurrencyOf(BARE), 4);
  t.equal(concurrencyOf({ ...BARE, buildJobs: '12' }), 12);
  t.end();
});

t.test('invalid values are usage errors', (t) => {
  const mistakes: readonly Partial<Environment>[] = [
    ...['0', '-1', '1.5', '1000', 'two'].map((buildJobs) => ({ buildJobs })),
    { sourceDateEpoch: 'yesterday' },
    { relaysAreProxies: 'maybe' },
    { keepReleases: '0' },
    { keepReleases: '1000' },
    { keepReleases: 'all' },
    { feeds: '/nowhere/at/all' },
    { feeds: process.execPath },
    { feeds: 'live', mirror: 'http://mirror.example' },
    { feeds: 'live', mirror: 'mirror' },
  ];
  for (const mistake of mistakes) {
    t.throws(() => buildSettings({ ...BARE, ...mistake }, {}), UsageError, JSON.stringify(mistake));
  }
  t.end();
});
