import type { Histogram, Registry } from 'prom-client';
import { BOUNDS, type RouteFigures } from './route-figures.js';

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Registers the durations of all routes as a histogram of prom-client, which has no way to be given counts. */
export function registerDurations(
  registry: Registry,
  described: { readonly name: string; readonly help: string },
  figures: ReadonlyMap<string, RouteFigures>,
): void {
  const { name } = described;
  const metric = {
    ...described,
    type: 'histogram',
    aggregator: 'sum',
    get: () =>
      Promise.resolve({
        ...{ ...described, type: 'histogram', aggregator: 'sum' },
        values: [...figures].flatMap(([route, of]) => samplesOf(name, route, of)),
      }),
  };
  // This is what prom-client asks of a metric, and what its own are when they come from other processes.
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
