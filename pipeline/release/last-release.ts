import {
  currentId,
  listReleases,
  readManifest,
  releaseDir,
  ReleaseError,
  type Release,
} from './release-store.js';

/** What a new release is held against, and where last good copies come from. */
export interface LastRelease {
  /** The one that `current` points to, or when that is damaged the newest one with a manifest; absent without any. */
  readonly release?: Release;
  /** What is wrong with the manifest of the one that `current` points to. */
  readonly damaged?: string;
}

/**
 * The last release that says what it was made from. A damaged one stops no build: the next release repairs it. Throws
 * ReleaseError where `current` is no link to a release: somebody has put it there.
 */
export async function lastRelease(outputDir: string): Promise<LastRelease> {
  const id = await currentId(outputDir);
  if (id === undefined) return {};
  const dir = releaseDir(outputDir, id);
  try {
    return { release: { id, dir, manifest: await readManifest(dir) } };
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    const release = (await listReleases(outputDir)).find((listed) => 'manifest' in listed);
    return { ...(release && { release }), damaged: error.message };
  }
}

/** The release before this one, as the list of releases has them: the next older one whose manifest can be used. */
export async function olderRelease(outputDir: string, id: string): Promise<Release | undefined> {
  const releases = await listReleases(outputDir);
  const older = releases.slice(releases.findIndex((release) => release.id === id) + 1);
  return older.find((release) => 'manifest' in release);
}
