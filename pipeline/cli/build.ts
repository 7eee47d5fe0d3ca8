import { runBuild } from '../jobs/run-build.js';
import type { BuildSettings } from '../stage/settings.js';
import { buildResultSchema, type BuildResult } from '../publish/publish.js';
import type { JobProcessor } from '../jobs/worker.js';
import type { Reporter } from '../jobs/reporter.js';
import { olderRelease } from '../release/last-release.js';
import { readManifest, releaseDir } from '../release/release-store.js';
import type { Manifest } from '../release/contract.js';
import { describeBuild } from './describe-build.js';

/** The settings of a build, its Redis, and its reporter. */
export interface BuildRun {
  readonly settings: BuildSettings;
  readonly redisUrl: string | undefined;
  readonly processor: JobProcessor;
  readonly reporter: Reporter;
}

/** The result of a build, with the manifest of the current release. */
export interface BuildReport {
  readonly result: BuildResult;
  readonly manifest: Manifest;
  /** The summary for people. */
  readonly text: string;
}

/** Runs a build from fetch to publish. Throws the errors of `runBuild`. */
export async function build({ settings, ...run }: BuildRun): Promise<BuildReport> {
  const startedMs = Date.now();
  const result = buildResultSchema.parse(await runBuild({ settings }, run));
  const manifest = await readManifest(releaseDir(settings.outputDir, result.id));
  const text = describeBuild({
    result,
    manifest,
    last: (await olderRelease(settings.outputDir, result.id))?.manifest,
    outputDir: settings.outputDir,
    tookMs: Date.now() - startedMs,
  });
  return { result, manifest, text };
}
