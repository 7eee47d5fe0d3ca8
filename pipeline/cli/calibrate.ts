import { existsSync } from 'node:fs';
import { loadGeoFeed, type GeoFeed } from '../datasets/geo-feeds.js';
import { statedCases, truthCases } from '../datasets/known-cases.js';
import { calibrate, type Calibration } from '../evaluate/calibrate/calibrate.js';
import { readOperators, readTruth } from '../evaluate/read-truth.js';
import { resolveTruth } from '../evaluate/truth.js';
import { FEED_IDS } from '../feeds/feed-id.js';
import { Gazetteer } from '../gazetteer/gazetteer.js';
import { normalisedDirOf } from '../ingest/cache-paths.js';
import { ReleaseError, type Release } from '../release/release-store.js';
import { readCachedGazetteer } from './cached-gazetteer.js';
import type { TruthFiles } from './evaluate.js';

/**
 * Fits the tables of the merge to the networks whose operators state their places: in the geofeeds, clouds and
 * exchanges of a release, and in a truth file. Reads the normalised feeds of the release's build. Throws ReleaseError
 * when these are no longer cached, FeedError when the truth file is invalid.
 */
export async function calibrateRelease(
  release: Release,
  outputDir: string,
  {
    files,
    onStep,
  }: { readonly files: Required<TruthFiles> | undefined; readonly onStep: (text: string) => void },
): Promise<Calibration> {
  const gazetteer = await readCachedGazetteer(release, outputDir);
  const feeds = loadFeeds(release, outputDir, { gazetteer, onStep });
  onStep('collecting the networks whose operators state their places');
  const stated = statedCases(feeds, gazetteer);
  const known = files ? await casesOfTruth(files, feeds, gazetteer) : [];
  return calibrate([...stated, ...known], gazetteer, onStep);
}

function loadFeeds(
  { dir, manifest }: Release,
  outputDir: string,
  { gazetteer, onStep }: { readonly gazetteer: Gazetteer; readonly onStep: (text: string) => void },
): GeoFeed[] {
  const gazetteers = { full: gazetteer, open: new Gazetteer({ continents: [], regions: [], places: [] }) };
  return manifest.inputs.filter(isFeed).flatMap((input) => {
    const kept = normalisedDirOf(outputDir, input);
    if (kept === undefined) return [];
    onStep(`loading ${input.feed}`);
    if (!existsSync(kept)) {
      const advice = 'run make build-data ARGS=--force';
      throw new ReleaseError(dir, `the normalised feed ${input.feed} is no longer cached: ${advice}`);
    }
    return loadGeoFeed({ input, kept: { dir: kept } }, gazetteers, []) ?? [];
  });
}

function isFeed({ feed }: { readonly feed: string }): boolean {
  return FEED_IDS.some((id) => id === feed);
}

async function casesOfTruth(
  { truth, operators }: Required<TruthFiles>,
  feeds: readonly GeoFeed[],
  gazetteer: Gazetteer,
) {
  const { rows } = await readTruth(truth);
  const { places } = resolveTruth(rows, gazetteer);
  return truthCases(places, (await readOperators(operators)).operators, { feeds, gazetteer });
}
