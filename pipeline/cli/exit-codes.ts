import type { BuildResult } from '../publish/publish.js';

/** Exit code of a build that published, or had nothing new, but did not use all of tonight's data. */
export const EXIT_INCOMPLETE = 3;

/** Exit code of a build whose release is not current, because a rollback holds an older one. */
export const EXIT_HELD = 4;

/** Returns the exit code of a finished build. Unused data takes precedence over a rollback that holds. */
export function exitCodeOfBuild(result: Pick<BuildResult, 'refusals' | 'keptIsp' | 'held'>): number {
  if (isIncomplete(result)) return EXIT_INCOMPLETE;
  return result.held === undefined ? 0 : EXIT_HELD;
}

/** Whether a build had to refuse a file or to keep back a dataset. Sources without credentials are skipped on purpose. */
export function isIncomplete({ refusals, keptIsp }: Pick<BuildResult, 'refusals' | 'keptIsp'>): boolean {
  return keptIsp !== undefined || refusals.some(({ refusal }) => refusal !== 'skipped');
}
