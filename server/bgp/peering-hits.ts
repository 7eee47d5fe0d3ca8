import { z } from 'zod';
import type { PeeringSearch } from '../release/snapshot.js';

/** `data` of the search: networks and facilities, at most 20 of each. */
export const peeringHitsSchema = z.strictObject({
  nets: z.array(
    z.strictObject({
      asn: z.int().nonnegative(),
      name: z.string(),
      aka: z.string(),
      info_type: z.string(),
    }),
  ),
  facs: z.array(
    z.strictObject({ id: z.int().nonnegative(), name: z.string(), city: z.string(), country: z.string() }),
  ),
});
export type PeeringHits = z.infer<typeof peeringHitsSchema>;

/** What a search of a release finds, as it is told. */
export function searchPeering(peering: PeeringSearch, query: string): PeeringHits {
  const { nets, facs } = peering.find(query);
  return {
    nets: nets.map(({ asn, name, aka = '', info_type = '' }) => ({ asn, name, aka, info_type })),
    facs: facs.map(({ id, name, city = '', country = '' }) => ({ id, name, city, country })),
  };
}
