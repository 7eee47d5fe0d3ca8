import { z } from 'zod';
import type { PeeringDb } from '../registry/registries.js';

/** `peering.json`: the networks (by AS number) and facilities (by id) of PeeringDB, to be searched in memory. */
export const peeringIndexSchema = z.strictObject({
  nets: z.array(
    z.strictObject({
      asn: z.int().nonnegative(),
      name: z.string(),
      aka: z.string().exactOptional(),
      info_type: z.string().exactOptional(),
    }),
  ),
  facs: z.array(
    z.strictObject({
      id: z.int().nonnegative(),
      name: z.string(),
      city: z.string().exactOptional(),
      /** ISO 3166-1 alpha-2. */
      country: z.string().exactOptional(),
    }),
  ),
});
export type PeeringIndex = z.infer<typeof peeringIndexSchema>;

/** What of PeeringDB is searched. What is not known is absent. */
export function peeringIndex({ networks, facilities }: PeeringDb): PeeringIndex {
  return {
    nets: networks
      .map(({ asn, name, aka, infoType }) => ({
        asn,
        name,
        ...(aka !== undefined && { aka }),
        ...(infoType !== undefined && { info_type: infoType }),
      }))
      .sort((a, b) => a.asn - b.asn),
    facs: facilities
      .map(({ id, name, city, country }) => ({
        id,
        name,
        ...(city !== undefined && { city }),
        ...(country !== undefined && { country }),
      }))
      .sort((a, b) => a.id - b.id),
  };
}

/** The text of `peering.json`: a line per network and facility. Equal indexes give equal bytes. */
export function encodePeeringIndex({ nets, facs }: PeeringIndex): string {
  const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join(',\n');
  return `{"nets":[\n${lines(nets)}\n],"facs":[\n${lines(facs)}\n]}\n`;
}
