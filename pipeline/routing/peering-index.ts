import { z } from 'zod';
import { present } from '../mmdb/present.js';
import type { PeeringDb } from '../registry/registries.js';

/**
 * The schema of `peering.json`: the networks (by AS number) and facilities (by id) of PeeringDB, for search in memory.
 */
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

/** The content of `peering.json`. */
export type PeeringIndex = z.infer<typeof peeringIndexSchema>;

/** Returns the searchable fields of PeeringDB. Unknown fields are absent. */
export function peeringIndex({ networks, facilities }: PeeringDb): PeeringIndex {
  return {
    nets: networks
      .map(({ asn, name, aka, infoType }) => present({ asn, name, aka, info_type: infoType }))
      .sort((a, b) => a.asn - b.asn),
    facs: facilities
      .map(({ id, name, city, country }) => present({ id, name, city, country }))
      .sort((a, b) => a.id - b.id),
  };
}

/** Returns the text of `peering.json` with one line per network and facility. Equal indexes give equal bytes. */
export function encodePeeringIndex({ nets, facs }: PeeringIndex): string {
  const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join(',\n');
  return `{"nets":[\n${lines(nets)}\n],"facs":[\n${lines(facs)}\n]}\n`;
}
