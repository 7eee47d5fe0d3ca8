import { z } from 'zod';
import type { PeeringSearch } from '../release/snapshot.js';

/** `data` of the search. */
export const peeringHitsSchema = z
  .strictObject({
    nets: z
      .array(
        z.strictObject({
          asn: z.int().nonnegative().describe('AS number'),
          name: z.string().describe('Name of the network'),
          aka: z.string().describe('Other name of the network'),
          info_type: z.string().describe('Kind of network in PeeringDB, such as `Content`'),
        }),
      )
      .describe('Networks, at most 20'),
    facs: z
      .array(
        z.strictObject({
          id: z.int().nonnegative().describe('Id of the facility in PeeringDB'),
          name: z.string().describe('Name of the facility'),
          city: z.string().describe('City of the facility'),
          country: z.string().describe('ISO 3166-1 alpha-2'),
        }),
      )
      .describe('Facilities, at most 20'),
  })
  .meta({ id: 'PeeringHits' });
export type PeeringHits = z.infer<typeof peeringHitsSchema>;

/** Searches the peering index of a release. */
export function searchPeering(peering: PeeringSearch, query: string): PeeringHits {
  const { nets, facs } = peering.find(query);
  return {
    nets: nets.map(({ asn, name, aka = '', info_type = '' }) => ({ asn, name, aka, info_type })),
    facs: facs.map(({ id, name, city = '', country = '' }) => ({ id, name, city, country })),
  };
}
