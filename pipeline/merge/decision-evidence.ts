import {
  CONFIDENCE,
  finerOf,
  LEVELS,
  percentOf,
  probabilityOf,
  STATED_CONFIDENCE,
  type Evidence,
} from './confidence.js';
import type { Detail, Level } from './precedence.js';
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

/** The confidences of a location. */
type Confidences = Partial<Readonly<Record<`${Level}Confidence`, number>>>;

/**
 * Returns the confidence of each decided level. The probability of a level is the one given that the level above is
 * right, times that of the level above. A decisive claim has STATED_CONFIDENCE on the levels that it names.
 */
export function confidencesOf(
  evidence: Partial<Readonly<Record<Level, Evidence>>>,
  decisive: ResolvedClaim | undefined,
): Confidences {
  const confidences: { -readonly [name in keyof Confidences]: Confidences[name] } = {};
  let probability = 1;
  for (const level of LEVELS) {
    const found = evidence[level];
    if (found === undefined) continue;
    probability *= probabilityOf(found, CONFIDENCE[level]);
    const stated = decisive && names(decisive, level) ? statedConfidence(decisive) : undefined;
    if (stated !== undefined) probability = stated;
    confidences[`${level}Confidence`] = percentOf(probability);
  }
  return confidences;
}

function names({ region, regionText, cityId, cityText }: ResolvedClaim, level: Level): boolean {
  if (level === 'country') return true;
  return level === 'region' ? (region ?? regionText) !== undefined : (cityId ?? cityText) !== undefined;
}

function statedConfidence({ weight: { rule } }: ResolvedClaim): number | undefined {
  return rule === 'vote' ? undefined : STATED_CONFIDENCE[rule];
}

function hasRadius({ position }: ResolvedClaim): boolean {
  return position?.radiusKm !== undefined;
}
