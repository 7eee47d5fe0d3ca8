import type { Histogram, Registry } from 'prom-client';
import { BOUNDS, type RouteFigures } from './route-figures.js';

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Registers the durations of all routes as a histogram. prom-client's own histogram does not accept counts. */
export function registerDurations(
  registry: Registry,
  described: { readonly name: string; readonly help: string },
  figures: ReadonlyMap<string, RouteFigures>,
): void {
  const { name } = described;
  const metric = {
    ...described,
    type: 'histogram',
    labelNames: ['route'],
    aggregator: 'sum',
    get: () =>
      Promise.resolve({
        ...described,
        type: 'histogram',
        aggregator: 'sum',
        values: [...figures].flatMap(([route, of]) => samplesOf(name, route, of)),
      }),
  };
  // prom-client reads only these fields, as it does for metrics of other processes.
  registry.registerMetric(metric as unknown as Histogram);
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/#histograms-and-summaries */
function samplesOf(name: string, route: string, figures: RouteFigures): Sample[] {
  const cumulated = figures.cumulated();
  return [
    ...cumulated.map((value, i) => ({
      metricName: `${name}_bucket`,
      labels: { le: BOUNDS[i] ?? '+Inf', route },
      value,
    })),
    { metricName: `${name}_sum`, labels: { route }, value: figures.seconds },
    { metricName: `${name}_count`, labels: { route }, value: cumulated.at(-1)! },
  ];
}
