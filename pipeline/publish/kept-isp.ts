import type { Gate } from '../release/contract.js';
import { lastRelease } from '../release/last-release.js';
import type { LocatedDataset } from '../datasets/dataset-folder.js';
import { LISTS } from '../lists/catalogue.js';
import type { StageContext } from '../stage/stage.js';
import { datasetOf } from '../datasets/unchanged-dataset.js';

/**
 * Returns the datasets with `isp.mmdb` of the last release instead of tonight's. Used if only the ISP dataset fails its
 * gates, so that new places and routes can still be published. Returns undefined if the last release has no ISP
 * dataset, or if nothing else is new.
 */
export async function withLastIsp(
  datasets: readonly LocatedDataset[],
  { settings, log }: Pick<StageContext, 'settings' | 'log'>,
): Promise<LocatedDataset[] | undefined> {
  const fresh = datasets.filter(({ unchanged }) => unchanged === undefined);
  const services = fresh.find(({ dataset }) => dataset === 'isp');
  const { release } = await lastRelease(settings.outputDir);
  const held = release?.manifest.datasets?.isp;
  if (!services || fresh.length === 1 || !release || !held || held.files.length === 0) return undefined;
  const read = release.manifest.inputs.filter(({ feed }) => LISTS.some(({ id }) => id === feed));
  // The inputs are those of the last release, the refusals those of tonight.
  const refusalsOf = (feed: string) => services.inputs.find((input) => input.feed === feed)?.refusals ?? [];
  const inputs = read.map((input) => ({ ...input, refusals: refusalsOf(input.feed) }));
  const kept = await datasetOf('isp', { release, key: held.key, inputs, log });
  return kept && datasets.map((one) => (one === services ? { ...kept, dir: release.dir } : one));
}

/** Returns the gates with tonight's failed results, and a note that the last ISP dataset was kept. */
export function explainKeptIsp(gates: readonly Gate[], failed: readonly Gate[], release: string): Gate[] {
  return gates.map((gate) => {
    const before = failed.find(({ name }) => name === gate.name);
    return before ? { ...gate, found: `${before.found} (so the ISP dataset of ${release} was kept)` } : gate;
  });
}
