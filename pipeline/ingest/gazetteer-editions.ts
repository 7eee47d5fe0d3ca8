import { writeFile } from 'node:fs/promises';
import { TERMS, type OpenFile, type Terms } from '../input/published-source.js';
import { composeGazetteer } from '../gazetteer/compose-gazetteer.js';
import { toJson } from '../gazetteer/gazetteer-json.js';
import { readSources } from '../gazetteer/read-gazetteer.js';
import type { StageContext } from '../stage/stage.js';
import { stepsOf } from '../stage/steps.js';
import type { KeptFolder } from '../store/kept-folder.js';
import { EDITIONS, gazetteerEdition, type EditionName } from './cache-paths.js';
import { writeNormalised, plainTallies, type NormalisedInput } from './normalised-input.js';

/** The licence terms permitted in an edition. The open edition is used in files for download. */
export const TERMS_OF_EDITION: Readonly<Record<EditionName, ReadonlySet<Terms>>> = {
  full: new Set(TERMS),
  open: new Set(['free']),
};

/** Writes both editions to a folder, complete or not at all. Throws FeedError for an unusable file. */
export function makeEditions(
  folder: KeptFolder,
  files: readonly OpenFile[],
  context: Pick<StageContext, 'progress'>,
): Promise<NormalisedInput> {
  const steps = stepsOf(context, { reading: 5, full: 3, open: 2 });
  return writeNormalised(folder, async (beside) => {
    steps.start('reading', 'reading places');
    const { rows, tallies } = await readSources(files);
    for (const edition of EDITIONS) {
      steps.start(edition, `composing the ${edition} edition`);
      const json = toJson(composeGazetteer(rows, TERMS_OF_EDITION[edition]));
      await writeFile(gazetteerEdition(beside, edition), json, { flush: true });
    }
    return { tallies: plainTallies(Object.entries(tallies)) };
  });
}
