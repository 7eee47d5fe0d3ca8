import { runBuild } from '../jobs/run-build.js';
import type { BuildSettings } from '../stages/settings.js';
import { buildResultSchema, type BuildResult } from '../stages/publish.js';
import type { Reporter } from '../jobs/reporter.js';
import { readManifest, releaseDir } from '../release/release-store.js';
import type { Manifest } from '../release/contract.js';
import { describeBuild } from './describe-build.js';

/** Where a build's jobs run and who watches. */
export interface BuildRun {
  readonly settings: BuildSettings;
  readonly redisUrl: string | undefined;
  readonly processorFile: URL;
  readonly reporter: Reporter;
}

/** What a build came to, with the manifest of the release that serves now. */
export interface BuildReport {
  readonly result: BuildResult;
  readonly manifest: Manifest;
  /** For people. */
  readonly text: string;
}

/** Exit code of a build that ended well, but not with all that the night should have brought. */
export const EXIT_REFUSALS = 3;

/** Runs one build from fetch to publish. Throws what `runBuild` throws. */
export async function build({ settings, ...run }: BuildRun): Promise<BuildReport> {
  const startedMs = Date.now();
  const result = buildResultSchema.parse(await runBuild({ settings }, run));
  const manifest = await readManifest(releaseDir(settings.outputDir, result.id));
  const text = describeBuild({
    result,
    manifest,
    outputDir: settings.outputDir,
    tookMs: Date.now() - startedMs,
  });
  return { result, manifest, text };
}
