import type { networkInterfaces } from 'node:os';
import type { ReservedSpace } from '../../targets/reserved-space.js';

/** Whether an interface has a public IPv6 address. The guard is of no use here: to it our own addresses are forbidden. */
export function hasPublicIpv6(
  interfaces: ReturnType<typeof networkInterfaces>,
  reserved: ReservedSpace,
): boolean {
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .some(({ family, internal, address }) => family === 'IPv6' && !internal && !reserved.has(address));
}
