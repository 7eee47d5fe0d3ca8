import { z } from 'zod';
import type { RecordList } from '../mmdb/write.js';
import { CLOUD_PROVIDERS, PROXY_TYPES } from '../release/service-counters.js';
import type { ServiceDataset } from '../service/service.js';
import type { FlatTable } from '../table/flat-table.js';
import { Extent } from './coverage.js';

/** The part of a record that is counted. */
const recordSchema = z.object({
  is_anonymous: z.boolean().optional(),
  proxy: z.object({ type: z.string().optional() }).optional(),
  cloud: z.object({ provider: z.string().optional() }).optional(),
});

/** Counts how much space of an ISP dataset hides somebody, by type, and how much belongs to which cloud. */
export class ServiceFigures {
  /** Counters that each record adds to, by its id; records are made once, when they are written. */
  readonly #names: (readonly string[] | undefined)[] = [];

  /** The dataset, its records looked at as they are written. */
  watching(dataset: ServiceDataset): ServiceDataset {
    const { records } = dataset;
    const watched: RecordList = {
      length: records.length,
      at: (id) => {
        const record = records.at(id);
        this.#names[id] = countersOf(recordSchema.parse(record));
        return record;
      },
    };
    return { ...dataset, records: watched };
  }

  /** Space by counter, when the dataset is written. */
  count(table: FlatTable): Record<string, number> {
    const extents = new Map<string, Extent>();
    table.forEach((address, length, id) => {
      for (const name of this.#names[id] ?? NOTHING) {
        let extent = extents.get(name);
        if (!extent) extents.set(name, (extent = new Extent()));
        extent.add(address, length);
      }
    });
    const counters = [...extents].flatMap(([name, extent]) =>
      Object.entries(extent.figures()).map(([figure, count]) => [`${name}.${figure}`, count] as const),
    );
    return Object.fromEntries(counters);
  }
}

const NOTHING: readonly string[] = [];

function countersOf({ is_anonymous: isProxy, proxy, cloud }: z.infer<typeof recordSchema>): string[] {
  const { type } = proxy ?? {};
  const { provider } = cloud ?? {};
  return [
    ...(isProxy === true ? ['proxies'] : []),
    ...(type === undefined ? [] : [`${PROXY_TYPES}${type}`]),
    ...(provider === undefined ? [] : ['clouds', `${CLOUD_PROVIDERS}${provider}`]),
  ];
}
