import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { SCHEMA_VERSION } from '../merge/city-record.js';
import { POLICY_VERSION } from '../merge/precedence.js';
import { VERDICT_VERSION } from '../merge/verdict-record.js';
import { WRITER_VERSION } from '../mmdb/write.js';
import { GEO_COUNTERS_VERSION } from '../release/geo-counters.js';
import { absentIfMissing } from '../release/missing.js';
import { linkFile } from '../release/link-file.js';
import { SCORECARD_VERSION } from '../evaluate/scorecard.js';
import { KeptFolder } from '../store/kept-folder.js';
import type { BuildSettings } from '../stage/settings.js';
import type { Stage, StageContext } from '../stage/stage.js';
import {
  compileResultSchema,
  keyOfDataset,
  licenceLine,
  type CompiledDataset,
  type DatasetPlan,
} from './dataset-plan.js';
import {
  claimedFeedsOf,
  GEO_EDITIONS,
  geoInputsOf,
  verdictsResultSchema,
  type GeoInputs,
} from './geo-inputs.js';
import { scoreResultSchema } from './geo-score.js';
import { writtenGeoSchema } from './geo-write.js';
import { unchangedDataset } from './unchanged-dataset.js';
import type { CompiledFile, Draft } from './write-dataset.js';

/** The result of the job that looks for an unchanged dataset. With `skipsRest` the jobs of its parts do not run. */
export const geoLookupSchema = z.strictObject({
  unchanged: compileResultSchema.exactOptional(),
  skipsRest: z.literal(true).exactOptional(),
});

/** Looks for the geolocation datasets in the last release, before any of their parts is made. */
export const findGeo: Stage = async (_input, context): Promise<z.infer<typeof geoLookupSchema>> => {
  const inputs = geoInputsOf(context);
  const unchanged = await unchangedDataset('geo', planOf(inputs, context.settings), context);
  if (unchanged) return { unchanged, skipsRest: true };
  if (inputs.ingests.every(({ kept }) => !kept)) throw new Error('no usable feed: nothing to compile');
  return {};
};

/**
 * Plans `geo.mmdb` from all feeds, for the API; `download/geo.mmdb` from the feeds and names whose licences permit
 * redistribution; and `sources/<feed>.mmdb` with the verdicts of each feed. Other jobs have written the files.
 */
export function planGeo(context: StageContext): DatasetPlan {
  const inputs = geoInputsOf(context);
  const { unchanged } = geoLookupSchema.parse(context.children['find:geo']);
  return {
    ...planOf(inputs, context.settings),
    found: unchanged ?? 'nothing',
    compile: (draft) => collectGeo(inputs, draft, context),
  };
}

/** Returns the key of tonight's geolocation datasets. */
export function geoKeyOf(context: Pick<StageContext, 'settings' | 'children'>): string {
  return planOf(geoInputsOf(context), context.settings).key;
}

function planOf(
  { ingests, gazetteer }: GeoInputs,
  settings: BuildSettings,
): Pick<DatasetPlan, 'key' | 'inputs'> {
  const places = Object.entries(gazetteer.editions ?? {}).map(
    ([edition, kept]) => `gazetteer ${edition} ${kept.key}`,
  );
  const versions = [
    `writer ${WRITER_VERSION}`,
    `policy ${POLICY_VERSION}`,
    `counters ${GEO_COUNTERS_VERSION}`,
    `schema ${SCHEMA_VERSION}`,
    `verdicts ${VERDICT_VERSION}`,
    `scorecard ${SCORECARD_VERSION}`,
  ];
  return {
    key: keyOfDataset([...versions, ...places, ...gazetteer.inputs.map(licenceLine)], ingests, settings),
    inputs: [...ingests.map(({ input }) => input), ...gazetteer.inputs],
  };
}

/** Links the files that the jobs of the parts have written into the draft's folder. */
async function collectGeo(
  { gazetteer }: GeoInputs,
  { workDir }: Draft,
  context: StageContext,
): Promise<CompiledDataset> {
  const { settings, children } = context;
  const merged = GEO_EDITIONS.flatMap((edition) => {
    return writtenGeoSchema.parse(children[`write:${edition}`]).made ?? [];
  });
  const files: CompiledFile[] = [];
  for (const { folder, file } of [...merged, ...claimedFeedsOf(context).map(({ made }) => made)]) {
    await link({ folder, workDir, name: file.file.name }, context);
    files.push(file);
  }
  const inputs = settings.feeds.map((feed) => verdictsResultSchema.parse(children[`verdicts:${feed}`]).input);
  const { scorecard } = scoreResultSchema.parse(children['score:geo']);
  const counters = Object.assign({}, ...merged.map((made) => made.counters)) as Record<string, number>;
  context.progress({ text: `${files.length} files` });
  return { files, indexes: [], counters, scorecard, inputs: [...inputs, ...gazetteer.inputs] };
}

/** Links a file of a kept folder. A file that is only in the store stays there: publish downloads what it needs. */
async function link(
  { folder, workDir, name }: { readonly folder: string; readonly workDir: string; readonly name: string },
  { settings, remote }: StageContext,
): Promise<void> {
  const from = join(new KeptFolder(settings.outputDir, folder).dir, name);
  if (remote && !(await absentIfMissing(stat(from)))) return;
  const to = join(workDir, name);
  await mkdir(dirname(to), { recursive: true });
  await linkFile(from, to);
}
