import { AGREEMENT } from '../merge/agreement-counts.js';
import type { Manifest } from './contract.js';

/** Prefix of all counters of the agreement of feeds. */
export const AGREEMENT_PREFIX = 'agreement.';

/** IPv4 addresses of a decided country. */
export interface CountryAgreement {
  /** By the finest level known. */
  readonly city: number;
  readonly region: number;
  readonly country: number;
  /** Two feeds or more name a country. */
  readonly compared: number;
  /** They name several countries. */
  readonly disagreed: number;
}

/** IPv4 addresses of which two feeds name a country or a city. */
export interface PairAgreement {
  readonly feeds: readonly [string, string];
  readonly countries: number;
  readonly otherCountry: number;
  readonly cities: number;
  readonly farCity: number;
}

/** The agreement of the feeds in a release. */
export interface Agreement {
  readonly countries: ReadonlyMap<string, CountryAgreement>;
  readonly pairs: readonly PairAgreement[];
}

/** Returns the agreement of the feeds; undefined without geolocation, and in releases from before it was counted. */
export function agreementIn(datasets: Manifest['datasets']): Agreement | undefined {
  const counters = datasets?.geo?.counters ?? {};
  const countries = new Map<string, Partial<CountryAgreement>>();
  const pairs = new Map<string, Partial<PairAgreement>>();
  for (const [name, count] of Object.entries(counters)) {
    if (name.startsWith(AGREEMENT.countries)) {
      const [country, figure] = name.slice(AGREEMENT.countries.length).split('.');
      countries.set(country!, { ...countries.get(country!), [figure!]: count });
    } else if (name.startsWith(AGREEMENT.pairs)) {
      const [one, other, figure] = name.slice(AGREEMENT.pairs.length).split('.');
      const key = `${one!}.${other!}`;
      pairs.set(key, { feeds: [one!, other!], ...pairs.get(key), [figure!]: count });
    }
  }
  if (countries.size === 0) return undefined;
  return {
    countries: new Map([...countries].map(([country, known]) => [country, { ...NO_ADDRESSES, ...known }])),
    pairs: [...pairs.values()].map((known) => ({ ...NO_PAIRS, ...known })),
  };
}

/** Counters of 0 are left out of manifests. */
const NO_ADDRESSES: CountryAgreement = { city: 0, region: 0, country: 0, compared: 0, disagreed: 0 };
const NO_PAIRS: PairAgreement = { feeds: ['', ''], countries: 0, otherCountry: 0, cities: 0, farCity: 0 };
