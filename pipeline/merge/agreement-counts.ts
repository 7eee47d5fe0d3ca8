import type { FeedId } from '../feeds/feed-id.js';
import { ABSENT } from '../table/zip.js';
import { Sums } from '../table/sums.js';
import { AgreementKinds, PAIR_FIGURES } from './agreement-kinds.js';
import type { LocationReader } from './location-table.js';
import type { Level } from './precedence.js';
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

/** Counts addresses by decided country and by pair of feeds, once per distinct combination of claims. */
export class AgreementCounts {
  readonly #feeds: readonly FeedId[];
  readonly #kinds: AgreementKinds;
  readonly #byKind = new Sums();
  /** By location id: all addresses, those on which claims are compared, and those on which they disagree. */
  readonly #all = new Sums();
  readonly #compared = new Sums();
  readonly #disagreed = new Sums();

  constructor(feeds: readonly FeedId[]) {
    this.#feeds = feeds;
    this.#kinds = new AgreementKinds(feeds.length);
  }

  /** Returns the number under which combinations of claims that agree in the same way are counted, one per feed. */
  kindOf(claims: readonly (ResolvedClaim | undefined)[]): number {
    return this.#kinds.kindOf(claims);
  }

  /** Adds addresses with claims of a kind and their location; `locationId` is ABSENT without one. */
  add(kind: number, locationId: number, addresses: number): void {
    this.#byKind.add(kind, addresses);
    if (locationId === ABSENT) return;
    this.#all.add(locationId, addresses);
    if (this.#kinds.isCompared(kind)) this.#compared.add(locationId, addresses);
    if (this.#kinds.isDisputed(kind)) this.#disagreed.add(locationId, addresses);
  }

  /** Returns the counts that are not 0, under their names in the manifest. */
  counters(locations: LocationReader): Record<string, number> {
    const counters: Record<string, number> = {};
    const add = (name: string, count: number): void => {
      if (count > 0) counters[name] = (counters[name] ?? 0) + count;
    };
    // A country has many locations: its names are made once.
    const namesByCountry = new Map<string, Record<CountryFigure, string>>();
    for (let id = 0; id < locations.length; id++) {
      if (this.#all.at(id) === 0) continue;
      const { country, level } = locations.levelOf(id);
      if (country === undefined) continue;
      let names = namesByCountry.get(country);
      if (names === undefined) namesByCountry.set(country, (names = countryNames(country)));
      add(names[level], this.#all.at(id));
      add(names.compared, this.#compared.at(id));
      add(names.disagreed, this.#disagreed.at(id));
    }
    let pair = 0;
    for (const [i, one] of this.#feeds.entries()) {
      for (const other of this.#feeds.slice(i + 1)) {
        const sums = this.#sumsOf(pair++);
        PAIR_FIGURES.forEach((figure, at) => {
          add(`${AGREEMENT.pairs}${one}.${other}.${figure}`, sums[at]!);
        });
      }
    }
    return counters;
  }

  /** Returns the addresses of a pair of feeds for each of PAIR_FIGURES. */
  #sumsOf(pair: number): number[] {
    const sums = PAIR_FIGURES.map(() => 0);
    for (let kind = 0; kind < this.#kinds.length; kind++) {
      const figures = this.#kinds.figuresAt(kind, pair);
      for (let figure = 0; figure < sums.length; figure++) {
        if (((figures >>> figure) & 1) === 1) sums[figure]! += this.#byKind.at(kind);
      }
    }
    return sums;
  }
}

type CountryFigure = Level | 'compared' | 'disagreed';

function countryNames(country: string): Record<CountryFigure, string> {
  const name = (figure: CountryFigure): string => `${AGREEMENT.countries}${country}.${figure}`;
  return {
    country: name('country'),
    region: name('region'),
    city: name('city'),
    compared: name('compared'),
    disagreed: name('disagreed'),
  };
}

/** Adds up the counters of several parts. */
export function sumOfCounters(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const counters of all) {
    for (const [name, count] of Object.entries(counters)) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}
