import type { ReleaseComparison } from '../compare-releases.js';
import type { Manifest, ManifestFile } from '../contract.js';

/** What a report tells of. */
export interface ReportSubject {
  readonly manifest: Manifest;
  /** The release before it; absent for the first one. */
  readonly last?: Manifest | undefined;
  /** Both releases address by address, where somebody has compared them so. */
  readonly comparison?: ReleaseComparison | undefined;
}

/** The same file of the last release. */
export function fileBefore({ last }: ReportSubject, { name }: ManifestFile): ManifestFile | undefined {
  return last?.files.find((file) => file.name === name);
}

/** Counters of a dataset by name, or of all of them; none in a manifest that has none. */
export function countersOf(manifest: Manifest | undefined, dataset?: string): ReadonlyMap<string, number> {
  const datasets = Object.entries(manifest?.datasets ?? {});
  const asked = datasets.filter(([name]) => dataset === undefined || name === dataset);
  return new Map(asked.flatMap(([, { counters }]) => Object.entries(counters)));
}

/** Counters of now, and those of the last release where there is one. */
export interface CounterPair {
  readonly now: ReadonlyMap<string, number>;
  readonly before: ReadonlyMap<string, number> | undefined;
}
