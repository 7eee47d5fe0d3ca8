import type { OpenFile, Terms } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import { Tally } from '../input/tally.js';
import { composeGazetteer } from './compose-gazetteer.js';
import { Dr5hnRows } from './dr5hn.js';
import { Gazetteer } from './gazetteer.js';
import { GeonamesRows } from './geonames.js';
import { readGeoLite2, type GeoLite2Rows } from './geolite2-places.js';
import { NO_GEOLITE2, type SourceRows } from './source-rows.js';

/** The rows of the sources, and the tally of each file by its id. */
export interface ReadSources {
  readonly rows: SourceRows;
  readonly tallies: Readonly<Record<string, Tally>>;
}

/**
 * Reads every present file of the gazetteer once, for all editions. Throws FeedError `missing` if there is none, and
 * the errors of the files.
 */
export async function readSources(files: readonly OpenFile[]): Promise<ReadSources> {
  const reader = new SourceReader(files);
  await reader.run();
  if (Object.keys(reader.tallies).length === 0) {
    throw new FeedError('missing', 'gazetteer/cities15000.zip', 'no gazetteer file found');
  }
  const { geonames, geolite2, dr5hn, tallies } = reader;
  return { rows: { geonames, geolite2, dr5hn }, tallies };
}

/** Reads the files and composes the gazetteer of the sources with a licence of one of `terms`. */
export async function readGazetteer(
  files: readonly OpenFile[],
  terms: ReadonlySet<Terms>,
): Promise<Gazetteer> {
  return composeGazetteer((await readSources(files)).rows, terms);
}

/** Reads the files in the order of their dependencies: names are kept only for places that are already known. */
class SourceReader {
  readonly geonames = new GeonamesRows();
  readonly dr5hn = new Dr5hnRows();
  geolite2: GeoLite2Rows = NO_GEOLITE2;
  readonly tallies: Record<string, Tally> = {};
  readonly #files: readonly OpenFile[];

  constructor(files: readonly OpenFile[]) {
    this.#files = files;
  }

  async run(): Promise<void> {
    const { geonames, dr5hn } = this;
    await this.#each(/^gazetteer\/cities500\.(zip|txt)$/, (file, tally) => geonames.readCities(file, tally));
    await this.#each(/^gazetteer\/cities15000\.(zip|txt)$/, (file, tally) =>
      geonames.readCities(file, tally),
    );
    await this.#each(/^gazetteer\/admin1CodesASCII\.txt$/, (file, tally) =>
      geonames.readDivisions(file, tally),
    );
    await this.#each(/^gazetteer\/countryInfo\.txt$/, (file, tally) => geonames.readCountries(file, tally));
    await this.#each(/^geolite2\/GeoLite2-City-CSV_.*\.zip$/, async (file, tally) => {
      this.geolite2 = await readGeoLite2(file, tally);
    });
    const wanted = new Set([...geonames.cities.keys(), ...this.geolite2.places.keys()]);
    for (const { id } of geonames.divisions) wanted.add(id);
    await this.#each(/^gazetteer\/alternateNamesV2\.(zip|txt)$/, (file, tally) =>
      geonames.readAlternates(file, tally, wanted),
    );
    await this.#each(/^gazetteer\/dr5hn-cities-zh\.tsv$/, (file, tally) => dr5hn.readCities(file, tally));
    await this.#each(/^gazetteer\/dr5hn-states-zh\.tsv$/, (file, tally) => dr5hn.readStates(file, tally));
  }

  async #each(name: RegExp, read: (file: OpenFile, tally: Tally) => Promise<void>): Promise<void> {
    for (const file of this.#files.filter(({ folder, name: own }) => name.test(`${folder}/${own}`))) {
      const tally = new Tally();
      this.tallies[file.id] = tally;
      await read(file, tally);
    }
  }
}
