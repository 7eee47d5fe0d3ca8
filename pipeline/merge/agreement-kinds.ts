import { TupleMemo } from '../table/tuple-memo.js';
import { chordBound, isNear } from './distance.js';
import type { ResolvedClaim } from './resolved-claim.js';

/** What two claims with a country may be counted for, by pair of feeds. */
export const PAIR_FIGURES = ['countries', 'otherCountry', 'cities', 'farCity'] as const;

/** Cities that are further apart are different places. */
export const FAR_KM = 50;

/**
 * Numbers the ways in which the claims about a network agree. There are few: millions of combinations of claims agree
 * in the same ways.
 */
export class AgreementKinds {
  readonly #feeds: number;
  /** Four bits for each pair of feeds: bit i is PAIR_FIGURES[i]. */
  readonly #words: Int32Array;
  readonly #memo: TupleMemo;

  /** The number of kinds so far. */
  get length(): number {
    return this.#memo.size;
  }

  constructor(feeds: number) {
    this.#feeds = feeds;
    this.#words = new Int32Array(Math.max(1, Math.ceil((feeds * (feeds - 1)) / 2 / PAIRS_PER_WORD)));
    this.#memo = new TupleMemo(this.#words.length);
  }

  /** Returns the number of the kind of claims, one for each feed. */
  kindOf(claims: readonly (ResolvedClaim | undefined)[]): number {
    const words = this.#words.fill(0);
    let pair = 0;
    for (let i = 0; i < this.#feeds; i++) {
      const one = claims[i];
      if (one?.country === undefined) {
        pair += this.#feeds - i - 1;
        continue;
      }
      for (let j = i + 1; j < this.#feeds; j++, pair++) {
        const other = claims[j];
        if (other?.country === undefined) continue;
        words[pair >>> WORD_SHIFT]! |= figuresOf(one, other) << (FIGURE_BITS * (pair & (PAIRS_PER_WORD - 1)));
      }
    }
    return this.#memo.number(words);
  }

  /** Whether two claims of a kind have a country. */
  isCompared(kind: number): boolean {
    return this.#hasFigure(kind, COUNTRIES);
  }

  /** Whether two claims of a kind have different countries. */
  isDisputed(kind: number): boolean {
    return this.#hasFigure(kind, OTHER_COUNTRY);
  }

  /** Returns the figures of a pair: bit n is PAIR_FIGURES[n]. The pairs (i, j) of feeds are in the order of i, then j. */
  figuresAt(kind: number, pair: number): number {
    const word = this.#memo.at(kind, pair >>> WORD_SHIFT);
    return (word >>> (FIGURE_BITS * (pair & (PAIRS_PER_WORD - 1)))) & FIGURES;
  }

  #hasFigure(kind: number, figure: number): boolean {
    for (let word = 0; word < this.#words.length; word++) {
      if ((this.#memo.at(kind, word) & (figure * EVERY_PAIR)) !== 0) return true;
    }
    return false;
  }
}

const FIGURE_BITS = PAIR_FIGURES.length;
const FIGURES = 0b1111;
const COUNTRIES = 0b0001;
const OTHER_COUNTRY = 0b0010;
const CITIES = 0b0100;
const FAR_CITY = 0b1000;
/** A word has the figures of eight pairs. */
const WORD_SHIFT = 3;
const PAIRS_PER_WORD = 1 << WORD_SHIFT;
/** The lowest figure of all pairs of a word. */
const EVERY_PAIR = 0x1111_1111;
const FAR_BOUND = chordBound(FAR_KM);

function figuresOf(one: ResolvedClaim, other: ResolvedClaim): number {
  const countries = one.country === other.country ? COUNTRIES : COUNTRIES | OTHER_COUNTRY;
  if (!namesPlace(one) || !namesPlace(other)) return countries;
  return countries | CITIES | (isNear(one.point!, other.point!, FAR_BOUND) ? 0 : FAR_CITY);
}

function namesPlace({ cityId, cityText, point }: ResolvedClaim): boolean {
  return point !== undefined && (cityId !== undefined || cityText !== undefined);
}
