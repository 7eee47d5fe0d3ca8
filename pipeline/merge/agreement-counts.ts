import type { FeedId } from '../feeds/feed-id.js';
import { ABSENT } from '../table/zip.js';
import { chordBound, isNear } from './distance.js';
import type { LocationReader } from './location-table.js';
import type { ResolvedClaim } from './resolved-claim.js';

/** Prefixes of the counters of IPv4 addresses on which feeds agree or disagree. */
export const AGREEMENT = {
  /**
   * `<this><country>.<figure>`, by the decided country: `city`, `region` and `country` are addresses by the finest level
   * known; `compared` have a country from two feeds or more, and on `disagreed` of them the feeds name several.
   */
  countries: 'agreement.countries.',
  /**
   * `<this><feed>.<feed>.<figure>`: on `countries` addresses both feeds name a country, on `otherCountry` of them another
   * one; on `cities` both give the place of a city, on `farCity` of them more than FAR_KM apart.
   */
  pairs: 'agreement.pairs.',
} as const;

/** Cities that are further apart are different places. */
export const FAR_KM = 50;

/** Counts addresses by decided country and by pair of feeds, once per distinct combination of claims. */
export class AgreementCounts {
  readonly #feeds: readonly FeedId[];
  readonly #locations: LocationReader;
  /** Four figures for each pair, the pair (i, j) at PAIR_FIGURES * (i * feeds + j). */
  readonly #pairs: Float64Array;
  readonly #compared: Float64Array;
  readonly #disagreed: Float64Array;
  readonly #all: Float64Array;

  constructor(feeds: readonly FeedId[], locations: LocationReader) {
    this.#feeds = feeds;
    this.#locations = locations;
    this.#pairs = new Float64Array(PAIR_FIGURES.length * feeds.length ** 2);
    this.#all = new Float64Array(locations.length);
    this.#compared = new Float64Array(locations.length);
    this.#disagreed = new Float64Array(locations.length);
  }

  /** Adds addresses with one claim per feed and their location; `locationId` is ABSENT without one. */
  add(claims: readonly (ResolvedClaim | undefined)[], locationId: number, addresses: number): void {
    let comparisons = 0;
    let isDisputed = false;
    for (let i = 0; i < claims.length; i++) {
      const one = claims[i];
      if (one?.country === undefined) continue;
      for (let j = i + 1; j < claims.length; j++) {
        const other = claims[j];
        if (other?.country === undefined) continue;
        comparisons++;
        if (one.country !== other.country) isDisputed = true;
        const figures = figuresOf(one, other);
        const at = PAIR_FIGURES.length * (i * this.#feeds.length + j);
        for (let figure = 0; figure < PAIR_FIGURES.length; figure++) {
          if (((figures >>> figure) & 1) === 1) this.#pairs[at + figure]! += addresses;
        }
      }
    }
    if (locationId === ABSENT) return;
    this.#all[locationId]! += addresses;
    if (comparisons > 0) this.#compared[locationId]! += addresses;
    if (isDisputed) this.#disagreed[locationId]! += addresses;
  }

  /** Returns the counts that are not 0, under their names in the manifest. */
  counters(): Record<string, number> {
    const counters: Record<string, number> = {};
    const add = (name: string, count: number): void => {
      if (count > 0) counters[name] = (counters[name] ?? 0) + count;
    };
    for (let id = 0; id < this.#locations.length; id++) {
      if (this.#all[id] === 0) continue;
      const { country, level } = this.#locations.levelOf(id);
      if (country === undefined) continue;
      add(`${AGREEMENT.countries}${country}.${level}`, this.#all[id]!);
      add(`${AGREEMENT.countries}${country}.compared`, this.#compared[id]!);
      add(`${AGREEMENT.countries}${country}.disagreed`, this.#disagreed[id]!);
    }
    const width = this.#feeds.length;
    this.#pairs.forEach((count, at) => {
      const pair = Math.floor(at / PAIR_FIGURES.length);
      const [one, other] = [this.#feeds[Math.floor(pair / width)]!, this.#feeds[pair % width]!];
      add(`${AGREEMENT.pairs}${one}.${other}.${PAIR_FIGURES[at % PAIR_FIGURES.length]!}`, count);
    });
    return counters;
  }
}

const PAIR_FIGURES = ['countries', 'otherCountry', 'cities', 'farCity'] as const;
const FAR_BOUND = chordBound(FAR_KM);

/** Returns the figures to which two claims with countries add their addresses: bit i is PAIR_FIGURES[i]. */
function figuresOf(one: ResolvedClaim, other: ResolvedClaim): number {
  const countries = one.country === other.country ? 0b0001 : 0b0011;
  if (!namesPlace(one) || !namesPlace(other)) return countries;
  return countries | (isNear(one.point!, other.point!, FAR_BOUND) ? 0b0100 : 0b1100);
}

function namesPlace({ cityId, cityText, point }: ResolvedClaim): boolean {
  return point !== undefined && (cityId !== undefined || cityText !== undefined);
}

/** Adds up the counters of several parts. */
export function sumOfCounters(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const counters of all) {
    for (const [name, count] of Object.entries(counters)) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}
