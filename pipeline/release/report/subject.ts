import { AGREEMENT_PREFIX } from '../agreement.js';
import type { ReleaseComparison } from '../compare-releases.js';
import type { Manifest, ManifestFile } from '../contract.js';
import type { PlaceChanges } from '../place-changes.js';

/** The input of a report. */
export interface ReportSubject {
  readonly manifest: Manifest;
  /** The release before it; absent for the first one. */
  readonly last?: Manifest | undefined;
  /** The manifests of the kept releases that it is compared with, the oldest first, with this one as the last. */
  readonly trend?: readonly Manifest[] | undefined;
  /** A comparison of both releases address by address, if one was made. */
  readonly comparison?: ReleaseComparison | undefined;
  /** The changes of places since `last`, if they were counted for this report; those of the manifest by default. */
  readonly changes?: PlaceChanges | undefined;
}

/** Returns the changes of places since the last release, or since any if there is none to compare with. */
export function placeChangesOf({ manifest, last, changes }: ReportSubject): PlaceChanges | undefined {
  const counted = changes ?? manifest.changes;
  return last === undefined || counted?.since === last.id ? counted : undefined;
}

/** Returns the same file of the last release. */
export function fileBefore({ last }: ReportSubject, { name }: ManifestFile): ManifestFile | undefined {
  return last?.files.find((file) => file.name === name);
}

/**
 * Returns the counters of one dataset, or of all, without those of the agreement of feeds, which have a section of their
 * own; empty when the manifest has none.
 */
export function countersOf(manifest: Manifest | undefined, dataset?: string): ReadonlyMap<string, number> {
  const datasets = Object.entries(manifest?.datasets ?? {});
  const asked = datasets.filter(([name]) => dataset === undefined || name === dataset);
  const all = asked.flatMap(([, { counters }]) => Object.entries(counters));
  return new Map(all.filter(([name]) => !name.startsWith(AGREEMENT_PREFIX)));
}

/** The counters of this release and, if there is one, of the last. */
export interface CounterPair {
  readonly now: ReadonlyMap<string, number>;
  readonly before: ReadonlyMap<string, number> | undefined;
}
