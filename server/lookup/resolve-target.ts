import { Failure } from '../failure.js';
import type { HostResolver } from '../targets/host-resolver.js';
import { parseTarget, parseTargetAddress, type Target, type TargetAddress } from '../targets/target.js';

/** Texts of what a target can fail for; of single calls and of batch entries alike. */
export const INVALID_TARGET = 'invalid IP or hostname';
export const UNRESOLVED_TARGET = 'target could not be resolved';

/** The target of a call. Throws Failure(400) when it is none. */
export function requireTarget(text: string): Target {
  const target = parseTarget(text);
  if (!target) throw new Failure(400, INVALID_TARGET);
  return target;
}

/** The address of a host; absent when it has none. Throws Failure(502) when no name server answers. */
export async function addressOfHost(
  name: string,
  resolver: HostResolver,
): Promise<TargetAddress | undefined> {
  const ip = await resolver.resolve(name);
  return ip === undefined ? undefined : parseTargetAddress(ip);
}

/** The address of a host. Throws Failure(404) when it has none, Failure(502) when no name server answers. */
export async function requireAddressOfHost(name: string, resolver: HostResolver): Promise<TargetAddress> {
  const address = await addressOfHost(name, resolver);
  if (!address) throw new Failure(404, UNRESOLVED_TARGET);
  return address;
}
