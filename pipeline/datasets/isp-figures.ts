import { CLOUD_PROVIDERS, PROXY_TYPES } from '../release/isp-counters.js';
import type { IspRecord } from '../isp/isp-record.js';
import type { IspDataset, IspRecords } from '../isp/isp-dataset.js';
import type { FlatTable } from '../table/flat-table.js';
import { Extent } from './coverage.js';

/** Counts the address space of proxies, of each proxy type and of each cloud in an ISP dataset. */
export class IspFigures {
  /** Counter names, by what decides them. */
  readonly #names = new Map<string, readonly string[]>();
  /** Counter names of each record by its id, noted when the record is written. */
  readonly #namesOf: (readonly string[] | undefined)[] = [];

  /** Returns the dataset with records that are noted when they are read. */
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

  /** Returns the space by counter. Call it after the dataset is written. */
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
