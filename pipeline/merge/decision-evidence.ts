import { CONFIDENCE, finerOf, percentOf, STATED_CONFIDENCE, type Evidence } from './confidence.js';
import type { Detail, Level } from './precedence.js';
import { ProbabilityTable } from './probability-table.js';
import type { ResolvedClaim } from './resolved-claim.js';
import { heaviest, repeatsRegistration, type VoteResult, type Weighting } from './vote.js';

/** Returns what the result of a vote rests on. */
export function evidenceOf({ winners, share }: VoteResult, weighting: Weighting): Evidence {
  let detail: Detail = 'registered';
  let voices = 0;
  let repeats = false;
  for (const winner of winners) {
    if (repeatsRegistration(winner, weighting)) repeats = true;
    else {
      detail = finerOf(detail, winner.weight.detail);
      voices++;
    }
  }
  if (repeats) voices++;
  return { share, voices, detail, radiusKm: heaviest(winners, weighting, hasRadius)?.position?.radiusKm };
}

/** What the levels of a decision rest on; undefined where nothing was decided. */
export interface LevelEvidence {
  readonly country: Evidence;
  readonly region?: Evidence | undefined;
  readonly city?: Evidence | undefined;
}

/** The confidences of the levels of a location. */
interface Confidences {
  readonly country: number;
  readonly region: number | undefined;
  readonly city: number | undefined;
}

/**
 * Returns the confidence of each decided level. The probability of a level is the one given that the level above is
 * right, times that of the level above. A decisive claim has STATED_CONFIDENCE on the levels that it names.
 */
export function confidencesOf(
  { country, region, city }: LevelEvidence,
  decisive: ResolvedClaim | undefined,
): Confidences {
  const ofCountry = statedOn('country', decisive) ?? PROBABILITIES.country.of(country);
  const ofRegion = region && (statedOn('region', decisive) ?? ofCountry * PROBABILITIES.region.of(region));
  const above = ofRegion ?? ofCountry;
  const ofCity = city && (statedOn('city', decisive) ?? above * PROBABILITIES.city.of(city));
  return {
    country: percentOf(ofCountry),
    region: ofRegion === undefined ? undefined : percentOf(ofRegion),
    city: ofCity === undefined ? undefined : percentOf(ofCity),
  };
}

const PROBABILITIES = {
  country: new ProbabilityTable(CONFIDENCE.country),
  region: new ProbabilityTable(CONFIDENCE.region),
  city: new ProbabilityTable(CONFIDENCE.city),
};

/** Returns the probability that a decisive claim states on a level; undefined if it does not name the level. */
function statedOn(level: Level, decisive: ResolvedClaim | undefined): number | undefined {
  if (decisive === undefined || !names(decisive, level)) return undefined;
  const { rule } = decisive.weight;
  return rule === 'vote' ? undefined : STATED_CONFIDENCE[rule];
}

function names({ region, regionText, cityId, cityText }: ResolvedClaim, level: Level): boolean {
  if (level === 'country') return true;
  return level === 'region' ? (region ?? regionText) !== undefined : (cityId ?? cityText) !== undefined;
}

function hasRadius({ position }: ResolvedClaim): boolean {
  return position?.radiusKm !== undefined;
}
