import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import t from 'tap';
import { BOUNDS } from './route-figures.js';
import { ServerMetrics } from './server-metrics.js';

const NAME = 'ipatlas_request_duration_seconds';
const SECONDS = [0.0004, 0.001, 0.0011, 0.3, 59, 61];

function measured(): ServerMetrics {
  const metrics = new ServerMetrics(() => ({
    release: undefined,
    refusedReleases: 0,
    isRedisUp: true,
    redisServers: 3,
    redisMemory: { usedBytes: 1_000_000, limitBytes: 536_870_912 },
  }));
  for (const seconds of SECONDS) metrics.observe('/json', { status: 200, code: 0, seconds });
  metrics.observe('/json', { status: 200, code: 404, seconds: 0.002 });
  metrics.observe('/ip', { status: 429, code: 429, seconds: 0.002 });
  return metrics;
}

t.test('answers are counted by path, status and code', async (t) => {
  const lines = await measured().registry.getSingleMetricAsString('ipatlas_requests_total');
  t.same(lines.split('\n').slice(2), [
    'ipatlas_requests_total{route="/json",status="200",code="0"} 6',
    'ipatlas_requests_total{route="/json",status="200",code="404"} 1',
    'ipatlas_requests_total{route="/ip",status="429",code="429"} 1',
  ]);
});

t.test("durations are printed as by prom-client's own histogram", async (t) => {
  const registry = new Registry();
  const help = 'Duration of requests, by documented path';
  const own = new Histogram({
    name: NAME,
    help,
    labelNames: ['route'],
    buckets: [...BOUNDS],
    registers: [registry],
  });
  for (const seconds of [...SECONDS, 0.002]) own.observe({ route: '/json' }, seconds);
  own.observe({ route: '/ip' }, 0.002);
  const { registry: ours } = measured();
  t.equal(await ours.getSingleMetricAsString(NAME), await registry.getSingleMetricAsString(NAME));
});

t.test('metrics of several processes are summed', async (t) => {
  const each = await Promise.all([measured(), measured()].map(({ registry }) => registry.getMetricsAsJSON()));
  const all = AggregatorRegistry.aggregate(each);
  const text = await all.metrics();
  t.match(text, `${NAME}_bucket{le="0.001",route="/json"} 4`);
  t.match(text, `${NAME}_count{route="/json"} 14`);
  t.match(text, 'ipatlas_requests_total{route="/json",status="200",code="0"} 12');
  t.match(text, 'ipatlas_redis_servers 3\n', 'they share one cluster');
  t.match(text, 'ipatlas_redis_memory_bytes 1000000\n', 'they share one Redis');
  t.match(text, 'ipatlas_redis_memory_limit_bytes 536870912\n');
});
