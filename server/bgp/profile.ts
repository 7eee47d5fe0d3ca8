import { z } from 'zod';
import { isPrivateAsn } from '../../pipeline/net/as-number.js';
import type { NetworkRecord } from '../release/records.js';

/** `data` of the AS profile. */
export const profileSchema = z.strictObject({
  asn: z.int().nonnegative(),
  name: z.string(),
  /** Registered entity. */
  entity: z.string(),
  /** Registration country code. */
  cc: z.string(),
  /** arin, ripe, apnic, lacnic, afrinic, or empty. */
  registry: z.string(),
  status: z.string(),
  in_use: z.boolean(),
  private: z.boolean(),
  ipv4_prefix_count: z.int().nonnegative(),
  ipv6_prefix_count: z.int().nonnegative(),
  ipv4_prefixes: z.array(z.string()),
  ipv6_prefixes: z.array(z.string()),
});
export type Profile = z.infer<typeof profileSchema>;

/** What is told of an AS; absent for one that no registry has given out and nobody has seen (ruling 36). */
export function profileOf(asn: number, network: NetworkRecord | undefined): Profile | undefined {
  const isPrivate = isPrivateAsn(asn);
  if (!network && !isPrivate) return undefined;
  const ipv4 = network?.ipv4_prefixes ?? [];
  const ipv6 = network?.ipv6_prefixes ?? [];
  return {
    asn,
    name: network?.name ?? '',
    entity: network?.entity ?? '',
    cc: network?.country ?? '',
    registry: network?.registry ?? '',
    status: network?.status ?? '',
    in_use: network?.in_use ?? false,
    private: isPrivate,
    ipv4_prefix_count: ipv4.length,
    ipv6_prefix_count: ipv6.length,
    ipv4_prefixes: [...ipv4],
    ipv6_prefixes: [...ipv6],
  };
}
