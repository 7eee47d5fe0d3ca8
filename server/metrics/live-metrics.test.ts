import { AggregatorRegistry, Registry } from 'prom-client';
import t from 'tap';
import { addLiveMetrics } from './live-metrics.js';

function registryOf(state: 'closed' | 'open' | 'half-open', count: number): Registry {
  const registry = new Registry();
  addLiveMetrics(registry, {
    breakerStates: () => new Map([['Google', state]]),
    probesRunning: () => count,
    cacheUse: { dns: { hits: count, misses: 1 }, whois: { hits: 0, misses: 0 } },
  });
  return registry;
}

t.test('metrics show the current state of breakers, probes and caches', async (t) => {
  const text = await registryOf('open', 2).metrics();
  t.match(text, /^ipatlas_resolvers_left_alone\{resolver="Google"\} 1$/m);
  t.match(text, /^ipatlas_probes_running 2$/m);
  t.match(text, /^ipatlas_cache_lookups_total\{cache="dns",result="hit"\} 2$/m);
  t.match(text, /^ipatlas_cache_lookups_total\{cache="whois",result="miss"\} 0$/m);
  t.match(await registryOf('half-open', 0).metrics(), /left_alone\{resolver="Google"\} 1$/m);
  t.match(await registryOf('closed', 0).metrics(), /left_alone\{resolver="Google"\} 0$/m);
});

t.test('metrics of several processes are summed', async (t) => {
  const all = await Promise.all(
    [registryOf('open', 2), registryOf('open', 3), registryOf('closed', 0)].map((one) =>
      one.getMetricsAsJSON(),
    ),
  );
  const text = await AggregatorRegistry.aggregate(all).metrics();
  t.match(text, /left_alone\{resolver="Google"\} 2$/m);
  t.match(text, /^ipatlas_probes_running 5$/m);
  t.match(text, /\{cache="dns",result="hit"\} 5$/m);
});
