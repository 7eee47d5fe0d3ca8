import { z } from 'zod';
import { count } from './manifest-values.js';

/** The changes of one country: IPv4 addresses that are in it now. */
const countryChangesSchema = z.strictObject({
  ipv4Addresses: count,
  /** Addresses that had another country, or none. */
  gained: count,
  /** Addresses of the same country with another region or city. */
  changed: count,
});

/** The places of `geo.mmdb` in a release, compared with those in the release before it. */
export const placeChangesSchema = z.strictObject({
  /** Id of the release that it was compared with. */
  since: z.string(),
  /** Addresses that had a record and have none now. */
  removed: count,
  /** By country, ISO 3166-1 alpha-2; `none` without a country. */
  countries: z.record(z.string(), countryChangesSchema),
});
export type PlaceChanges = z.infer<typeof placeChangesSchema>;
export type CountryPlaceChanges = z.infer<typeof countryChangesSchema>;

/** The figures of a comparison without the id of the other release. */
export type PlaceFigures = Omit<PlaceChanges, 'since'>;

/** The addresses of a release or a country, and those of them that have another place than before. */
export interface ChangedShare {
  readonly ipv4Addresses: number;
  readonly changed: number;
}

/** Adds up the changes of all countries. Removed addresses count as changed, and as addresses. */
export function totalOfChanges({ removed, countries }: PlaceFigures): ChangedShare {
  const all = Object.values(countries);
  return {
    ipv4Addresses: all.reduce((sum, one) => sum + one.ipv4Addresses, removed),
    changed: all.reduce((sum, one) => sum + one.gained + one.changed, removed),
  };
}
