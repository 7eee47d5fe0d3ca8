import { ANNOUNCED_ADDRESSES } from '../release/routing-counters.js';
import type { AsnDataset } from '../routing/asn-records.js';
import { Extent } from './coverage.js';

/** Counts the networks and addresses of `asn.mmdb` by the source of their AS. */
export function countAddresses({ table, sources }: AsnDataset): Record<string, number> {
  const extents = new Map(sources.map((source) => [source, new Extent()]));
  table.forEach((address, length, id) => {
    extents.get(sources[id]!)!.add(address, length);
  });
  const counters = [...extents].flatMap(([source, extent]) =>
    Object.entries(extent.figures()).map(
      ([figure, count]) => [`${ANNOUNCED_ADDRESSES}${source}.${figure}`, count] as const,
    ),
  );
  return Object.fromEntries(counters);
}
