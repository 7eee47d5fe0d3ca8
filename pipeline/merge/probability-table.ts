import { positionOf, probabilityOf, RADIUS_CLASSES, radiusClassOf } from './confidence.js';
import type { ConfidencePoints, Evidence } from './confidence.js';
import { DETAILS, SHARE_STEP } from './precedence.js';

/** The probabilities of one level for all possible evidence, computed once: a build asks for millions. */
export class ProbabilityTable {
  /** More voices than this have no more points. */
  readonly #mostVoices: number;
  readonly #probabilities: Float64Array;

  constructor(points: ConfidencePoints) {
    this.#mostVoices = Math.max(1, ...points.voices.map(([from]) => from));
    this.#probabilities = new Float64Array(
      (100 / SHARE_STEP) * this.#mostVoices * DETAILS.length * RADII.length,
    );
    for (let share = SHARE_STEP; share <= 100; share += SHARE_STEP) {
      for (let voices = 1; voices <= this.#mostVoices; voices++) {
        for (const detail of DETAILS) {
          for (const radiusKm of RADII) {
            const evidence = { share, voices, detail, radiusKm };
            this.#probabilities[this.#indexOf(evidence)] = probabilityOf(evidence, points);
          }
        }
      }
    }
  }

  /** Returns `probabilityOf`. The share is a multiple of SHARE_STEP. */
  of(evidence: Evidence): number {
    return this.#probabilities[this.#indexOf(evidence)]!;
  }

  #indexOf({ share, voices, detail, radiusKm }: Evidence): number {
    const voiceClass = Math.min(voices, this.#mostVoices) - 1;
    const supportClass = (share / SHARE_STEP - 1) * this.#mostVoices + voiceClass;
    return (supportClass * DETAILS.length + positionOf(detail)) * RADII.length + radiusClassOf(radiusKm);
  }
}

/** A radius of each class. */
const RADII = [...RADIUS_CLASSES, undefined];
