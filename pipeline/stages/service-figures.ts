import { CLOUD_PROVIDERS, PROXY_TYPES } from '../release/service-counters.js';
import type { IspRecord } from '../service/isp-record.js';
import type { IspDataset, IspRecords } from '../service/service.js';
import type { FlatTable } from '../table/flat-table.js';
import { Extent } from './coverage.js';

/** Counts how much space of an ISP dataset hides somebody, by type, and how much belongs to which cloud. */
export class ServiceFigures {
  /** Counters by what records that add to the same ones have in common. */
  readonly #names = new Map<string, readonly string[]>();
  /** Counters that each record adds to, by its id; records are made once, when they are written. */
  readonly #namesOf: (readonly string[] | undefined)[] = [];

  /** The dataset, its records looked at as they are written. */
  watching(dataset: IspDataset): IspDataset {
    const { records } = dataset;
    const watched: IspRecords = {
      length: records.length,
      at: (id) => {
        const record = records.at(id);
        this.#namesOf[id] = this.#countersOf(record);
        return record;
      },
    };
    return { ...dataset, records: watched };
  }

  /** Space by counter, when the dataset is written. */
  count(table: FlatTable): Record<string, number> {
    const extents = new Map<string, Extent>();
    table.forEach((address, length, id) => {
      for (const name of this.#namesOf[id] ?? NOTHING) {
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

  #countersOf({ is_anonymous: isProxy, proxy, cloud }: IspRecord): readonly string[] {
    const key = `${isProxy ?? ''}\n${proxy?.type ?? ''}\n${cloud?.provider ?? ''}`;
    let names = this.#names.get(key);
    if (!names) this.#names.set(key, (names = countersOf(isProxy, proxy?.type, cloud?.provider)));
    return names;
  }
}

const NOTHING: readonly string[] = [];

function countersOf(isProxy = false, type?: string, provider?: string): string[] {
  return [
    ...(isProxy ? ['proxies'] : []),
    ...(type === undefined ? [] : [`${PROXY_TYPES}${type}`]),
    ...(provider === undefined ? [] : ['clouds', `${CLOUD_PROVIDERS}${provider}`]),
  ];
}
