import type { OpenFile, Terms } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import { Tally } from '../feeds/tally.js';
import { composeGazetteer } from './compose-gazetteer.js';
import { Dr5hnRows } from './dr5hn.js';
import { Gazetteer } from './gazetteer.js';
import { GeonamesRows } from './geonames.js';
import { readGeoLite2, type GeoLite2Rows } from './geolite2-places.js';
import { NO_GEOLITE2, type SourceRows } from './source-rows.js';

/** The sources' rows, and what became of those of each file, by the file's id. */
export interface ReadSources {
  readonly rows: SourceRows;
  readonly tallies: Readonly<Record<string, Tally>>;
}

/**
 * Reads every file of the gazetteer that is there, each once, whatever editions are made of them. Throws FeedError
 * `missing` when there is none, and what the files throw.
 */
export async function readSources(files: readonly OpenFile[]): Promise<ReadSources> {
  const reading = new Reading(files);
  await reading.run();
  if (Object.keys(reading.tallies).length === 0) {
    throw new FeedError('missing', 'gazetteer/cities15000.zip', 'no file that a gazetteer is made from');
  }
  const { geonames, geolite2, dr5hn, tallies } = reading;
  return { rows: { geonames, geolite2, dr5hn }, tallies };
}

/** Reads the files and makes the gazetteer of those sources whose licence has one of `terms`. */
export async function readGazetteer(
  files: readonly OpenFile[],
  terms: ReadonlySet<Terms>,
): Promise<Gazetteer> {
  return composeGazetteer((await readSources(files)).rows, terms);
}

/** Reads the files in the order in which they need each other: names are kept of places that are known by then. */
class Reading {
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
