import { join } from 'node:path';
import type { Manifest } from '../../pipeline/release/contract.js';
import { readManifest } from '../../pipeline/release/release-store.js';
import { KeptTable } from './kept-table.js';
import type {
  AnnouncerRecord,
  IspRecord,
  NetworkRecord,
  PlaceRecord,
  RoutedRecord,
  VerdictRecord,
} from './records.js';

/** The records of an address in a release. Absent ones are unknown, or the release has no such file. */
export interface KeptRecords {
  readonly place?: PlaceRecord;
  readonly isp?: IspRecord;
  readonly announcer?: AnnouncerRecord;
  readonly route?: RoutedRecord;
  /** The record of the AS that `bgp` names. */
  readonly network?: NetworkRecord;
  /** By feed, in the order of the manifest. */
  readonly verdicts: readonly (readonly [feed: string, VerdictRecord])[];
}

/** The open files of a kept release. A release was checked when it was published and served, so they are not hashed. */
export class KeptRelease {
  private constructor(private readonly tables: ReadonlyMap<string, KeptTable>) {}

  /** Opens the files of a release. Throws ReleaseError, RangeError or the system error. */
  static async open(dir: string): Promise<KeptRelease> {
    const { files } = await readManifest(dir);
    const tables = new Map<string, KeptTable>();
    try {
      for (const { name } of files.filter(isLookedUp)) tables.set(name, new KeptTable(join(dir, name)));
    } catch (error) {
      for (const table of tables.values()) table.close();
      throw error;
    }
    return new KeptRelease(tables);
  }

  /** Returns the records of an address. Throws RangeError when a file is damaged. */
  recordsOf(ip: string): KeptRecords {
    const find = (name: string): object | undefined => this.tables.get(name)?.get(ip) as object | undefined;
    const route = find('routes.mmdb') as RoutedRecord | undefined;
    const announcer = find('asn.mmdb') as AnnouncerRecord | undefined;
    const asn = announcer?.as_source === undefined ? route?.origin : announcer.autonomous_system_number;
    const all = {
      place: find('geo.mmdb'),
      isp: find('isp.mmdb'),
      announcer,
      route,
      network: asn === undefined ? undefined : this.tables.get('networks.mmdb')?.getKey(asn),
    };
    const known = Object.entries(all).filter(([, record]) => record !== undefined);
    return {
      ...(Object.fromEntries(known) as Omit<KeptRecords, 'verdicts'>),
      verdicts: this.#verdictsOf(ip),
    };
  }

  close(): void {
    for (const table of this.tables.values()) table.close();
  }

  #verdictsOf(ip: string): KeptRecords['verdicts'] {
    return [...this.tables].flatMap(([name, table]) => {
      const feed = /^sources\/(.+)\.mmdb$/.exec(name)?.[1];
      const verdict = feed === undefined ? undefined : (table.get(ip) as VerdictRecord | undefined);
      return feed !== undefined && verdict ? [[feed, verdict] as const] : [];
    });
  }
}

function isLookedUp({ kind }: Manifest['files'][number]): boolean {
  return kind === 'served' || kind === 'verdicts';
}
