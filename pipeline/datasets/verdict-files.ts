import { join } from 'node:path';
import { ISP_FEEDS } from '../feeds/feed-id.js';
import type { StageContext } from '../stage/stage.js';
import type { ManifestInput } from '../release/contract.js';
import { geoKeyOf, geoLookupSchema } from './compile-geo.js';
import { locateDataset } from './dataset-folder.js';
import type { CompileResult } from './dataset-plan.js';
import { claimedFeedsOf, geoInputsOf, verdictsResultSchema } from './geo-inputs.js';
import { requireKept } from './kept-result.js';

/** What the ISP datasets are made from before the merged geolocation files exist. */
export interface GeoVerdicts {
  /** The key that the geolocation datasets have when they are complete. */
  readonly key: string;
  readonly inputs: readonly ManifestInput[];
  /** The geolocation datasets of the last release, if they are unchanged. */
  readonly unchanged?: CompileResult;
}

/** Returns the key and the inputs of tonight's verdicts from the results of their jobs. */
export function geoVerdictsOf(context: StageContext): GeoVerdicts {
  const { settings, children } = context;
  const { unchanged } = geoLookupSchema.parse(children['find:geo']);
  if (unchanged) return { key: unchanged.key, inputs: unchanged.inputs, unchanged };
  const verdicts = settings.feeds.map((feed) => verdictsResultSchema.parse(children[`verdicts:${feed}`]));
  const places = geoInputsOf(context).gazetteer.inputs;
  return { key: geoKeyOf(context), inputs: [...verdicts.map(({ input }) => input), ...places] };
}

/** Returns the paths of the verdicts of the feeds with ISP names on this machine. Throws StoreError. */
export async function ispVerdictFiles(
  { unchanged }: GeoVerdicts,
  context: StageContext,
): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>();
  if (unchanged) {
    const feeds = new Map<string, string>(ISP_FEEDS.map((feed) => [`sources/${feed}.mmdb`, feed]));
    const { files, dir } = await locateDataset(unchanged, context, (name) => feeds.has(name));
    for (const { file } of files) {
      const feed = feeds.get(file.name);
      if (feed !== undefined) paths.set(feed, join(dir, file.name));
    }
    return paths;
  }
  for (const { feed, made } of claimedFeedsOf(context)) {
    if (!ISP_FEEDS.some((one) => one === feed)) continue;
    paths.set(feed, join(await requireKept(made.folder, context), made.file.file.name));
  }
  return paths;
}
