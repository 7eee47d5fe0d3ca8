import type { Coverage, Manifest, ManifestInput, ManifestInputFile, ManifestRefusal } from './contract.js';
import { ownFiles } from './own-files.js';

/** A figure in the older and the newer release; absent where a release does not have it. */
export interface Pair<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** One snapshot file of a feed. */
export interface SnapshotChange {
  readonly id: string;
  readonly state: 'same' | 'changed' | 'added' | 'removed';
}

/** The changes of one feed between two releases. */
export interface FeedChange {
  readonly feed: string;
  readonly accepted: Pair<number>;
  readonly rejected: Pair<number>;
  readonly adapterVersion: Pair<number>;
  /** Networks in geo.mmdb whose country is from this feed. */
  readonly coverage: Pair<Coverage>;
  readonly snapshots: readonly SnapshotChange[];
  readonly refusals: {
    readonly before: readonly ManifestRefusal[];
    readonly after: readonly ManifestRefusal[];
  };
}

/**
 * Compares the feeds of two releases by their manifests. Feeds are in the order of the newer one, removed ones last.
 */
export function compareFeeds(before: Manifest, after: Manifest): FeedChange[] {
  const feeds = new Set([...after.inputs, ...before.inputs].map(({ feed }) => feed));
  return [...feeds].map((feed) => {
    const [a, b] = [before, after].map((manifest) => manifest.inputs.find((input) => input.feed === feed));
    return {
      feed,
      accepted: { before: sumOf(a, 'accepted'), after: sumOf(b, 'accepted') },
      rejected: { before: sumOf(a, 'rejected'), after: sumOf(b, 'rejected') },
      adapterVersion: { before: a?.adapterVersion, after: b?.adapterVersion },
      coverage: { before: coverageOf(before, feed), after: coverageOf(after, feed) },
      snapshots: compareSnapshots(a?.files ?? [], b?.files ?? []),
      refusals: { before: a?.refusals ?? [], after: b?.refusals ?? [] },
    };
  });
}

function sumOf(input: ManifestInput | undefined, figure: 'accepted' | 'rejected'): number | undefined {
  return input && ownFiles(input).reduce((sum, file) => sum + file[figure], 0);
}

function coverageOf(manifest: Manifest, feed: string): Coverage | undefined {
  return manifest.files.find(({ name }) => name === 'geo.mmdb')?.coverageByFeed[feed];
}

function compareSnapshots(
  before: readonly ManifestInputFile[],
  after: readonly ManifestInputFile[],
): SnapshotChange[] {
  const ids = new Set([...after, ...before].map(({ id }) => id));
  return [...ids].map((id) => {
    const [a, b] = [before, after].map((files) => files.find((file) => file.id === id)?.sha256);
    return { id, state: stateOf(a, b) };
  });
}

function stateOf(before: string | undefined, after: string | undefined): SnapshotChange['state'] {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return before === after ? 'same' : 'changed';
}
