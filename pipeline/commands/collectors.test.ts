import t from 'tap';
import { DEFAULT_COLLECTORS } from '../feeds/routing-downloads.js';
import { liveSettings, type Environment } from './environment.js';
import { UsageError } from './usage-error.js';

const collectorsOf = (ribCollectors: string): readonly string[] => {
  const environment: Environment = {
    feeds: 'live',
    bundledFeedsDir: '',
    buildFeeds: '',
    datasetFeeds: '',
    outputDir: '',
    redisUrl: undefined,
    sourceDateEpoch: '',
    concurrency: 1,
    mirror: undefined,
    ribCollectors,
    relaysAreProxies: '',
    readVariable: () => undefined,
    processorFile: new URL('file:///processor.js'),
  };
  return liveSettings(environment, {}).collectors;
};

t.test('RIB_COLLECTORS names collectors, each once; four by default', (t) => {
  t.same(collectorsOf(''), DEFAULT_COLLECTORS);
  t.same(collectorsOf(' rrc00, route-views6,rrc00'), ['rrc00', 'route-views6']);
  t.throws(() => collectorsOf('rrc00,rv2'), UsageError);
  t.throws(() => collectorsOf('rrc00,,../x'), { message: /^RIB_COLLECTORS: "", "\.\.\/x": / });
  t.end();
});
