import type { BuildResult } from '../publish/publish.js';

/** Exit code of a build that published, or had nothing new, but did not use all of tonight's data. */
export const EXIT_INCOMPLETE = 3;

/** Whether a build had to refuse a file or to keep back a dataset. Sources without credentials are skipped on purpose. */
export function isIncomplete({ refusals, keptIsp }: Pick<BuildResult, 'refusals' | 'keptIsp'>): boolean {
  return keptIsp !== undefined || refusals.some(({ refusal }) => refusal !== 'skipped');
}
