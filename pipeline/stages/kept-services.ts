import type { Gate } from '../release/contract.js';
import { lastRelease } from '../release/last-release.js';
import type { CompileResult } from './dataset-plan.js';
import { LISTS } from './lists.js';
import type { StageContext } from './stage.js';
import { datasetOf } from './unchanged-dataset.js';

/**
 * The datasets with the services of the last release in the place of tonight's, for a night whose lists do not pass the
 * gates: they shall not stop places and routes. Absent where there are no such services, or nothing else is new.
 */
export async function withLastServices(
  datasets: readonly CompileResult[],
  { settings, log }: Pick<StageContext, 'settings' | 'log'>,
): Promise<CompileResult[] | undefined> {
  const fresh = datasets.filter(({ unchanged }) => unchanged === undefined);
  const services = fresh.find(({ dataset }) => dataset === 'isp');
  const { release } = await lastRelease(settings.outputDir);
  const held = release?.manifest.datasets?.isp;
  if (!services || fresh.length === 1 || !release || !held || held.files.length === 0) return undefined;
  const read = release.manifest.inputs.filter(({ feed }) => LISTS.some(({ id }) => id === feed));
  // What is in them came in that night; what was refused was refused tonight.
  const refusalsOf = (feed: string) => services.inputs.find((input) => input.feed === feed)?.refusals ?? [];
  const inputs = read.map((input) => ({ ...input, refusals: refusalsOf(input.feed) }));
  const kept = await datasetOf('isp', { release, key: held.key, inputs, log });
  return kept && datasets.map((one) => (one === services ? kept : one));
}

/** The gates that tonight's services have failed stand as they were found, with what was done about it. */
export function tellKept(gates: readonly Gate[], failed: readonly Gate[], release: string): Gate[] {
  return gates.map((gate) => {
    const before = failed.find(({ name }) => name === gate.name);
    return before ? { ...gate, found: `${before.found} (so the services of ${release} were kept)` } : gate;
  });
}
