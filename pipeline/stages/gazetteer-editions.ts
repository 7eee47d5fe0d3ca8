import { writeFile } from 'node:fs/promises';
import { TERMS, type OpenFile, type Terms } from '../feeds/feed.js';
import { composeGazetteer } from '../gazetteer/compose-gazetteer.js';
import { toJson } from '../gazetteer/gazetteer-json.js';
import { readSources } from '../gazetteer/read-gazetteer.js';
import { EDITIONS, gazetteerEdition, type EditionName } from './cache-places.js';
import { keepReading, plainTallies, type KeptReading } from './kept-reading.js';

/** The licences of what an edition is made of: the open one goes into files that others download. */
export const TERMS_OF_EDITION: Readonly<Record<EditionName, ReadonlySet<Terms>>> = {
  full: new Set(TERMS),
  open: new Set(['free']),
};

/** Makes both editions and puts them into `dir`, whole or not at all. Throws FeedError for a file that is unusable. */
export function makeEditions(dir: string, files: readonly OpenFile[]): Promise<KeptReading> {
  return keepReading(dir, async (beside) => {
    const { rows, tallies } = await readSources(files);
    for (const edition of EDITIONS) {
      const json = toJson(composeGazetteer(rows, TERMS_OF_EDITION[edition]));
      await writeFile(gazetteerEdition(beside, edition), json, { flush: true });
    }
    return { tallies: plainTallies(Object.entries(tallies)) };
  });
}
