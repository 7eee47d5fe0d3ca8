import { z } from 'zod';
import { isPrivateAsn } from '../../pipeline/net/as-number.js';
import type { NetworkRecord } from '../release/records.js';

/** `data` of the AS profile. */
export const profileSchema = z
  .strictObject({
    asn: z.int().nonnegative().describe('AS number'),
    name: z.string().describe('AS name'),
    entity: z.string().describe('Registered entity'),
    cc: z.string().describe('Country of registration, ISO 3166-1 alpha-2'),
    registry: z.string().describe('arin, ripe, apnic, lacnic, afrinic, or empty'),
    status: z.string().describe('Allocation status'),
    in_use: z.boolean().describe('Whether the AS originates prefixes'),
    private: z.boolean().describe('Whether the number is reserved for private use (RFC 6996)'),
    ipv4_prefix_count: z.int().nonnegative().describe('Number of originated IPv4 prefixes'),
    ipv6_prefix_count: z.int().nonnegative().describe('Number of originated IPv6 prefixes'),
    ipv4_prefixes: z.array(z.string()).describe('Originated IPv4 prefixes, CIDR'),
    ipv6_prefixes: z.array(z.string()).describe('Originated IPv6 prefixes, CIDR'),
  })
  .meta({ id: 'AsProfile' });
export type Profile = z.infer<typeof profileSchema>;

/** Returns the profile of an AS. Undefined when it is neither allocated, announced nor private (decision 36). */
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
