import {
  currentId,
  listReleases,
  readManifest,
  releaseDir,
  ReleaseError,
  type Release,
} from './release-store.js';

/** The release that gates compare with, and the source of last good copies. */
export interface LastRelease {
  /**
   * The release that `current` points to. If it is damaged, the newest one with a valid manifest; absent without any.
   */
  readonly release?: Release;
  /** The error in the manifest of the release that `current` points to. */
  readonly damaged?: string;
}

/**
 * Returns the last release with a readable manifest. A damaged one does not stop the build, because the next release
 * replaces it. Throws ReleaseError when `current` is not a link to a release.
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

/** Returns the next older release with a valid manifest; absent without any. */
export async function olderRelease(outputDir: string, id: string): Promise<Release | undefined> {
  const releases = await listReleases(outputDir);
  const older = releases.slice(releases.findIndex((release) => release.id === id) + 1);
  return older.find((release) => 'manifest' in release);
}
