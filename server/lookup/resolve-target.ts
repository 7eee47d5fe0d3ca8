import { Failure } from '../failure.js';
import type { HostResolver } from '../targets/host-resolver.js';
import { parseTarget, parseTargetAddress, type Target, type TargetAddress } from '../targets/target.js';

/** Error messages of targets, in single calls and in batch entries. */
export const INVALID_TARGET = 'invalid IP or hostname';
export const UNRESOLVED_TARGET = 'target could not be resolved';

/** Parses the target of a call. Throws Failure(400) when it is invalid. */
export function requireTarget(text: string): Target {
  const target = parseTarget(text);
  if (!target) throw new Failure(400, INVALID_TARGET);
  return target;
}

/** Resolves a host name. Returns undefined when it has no address. Throws Failure(502) when no name server answers. */
export async function addressOfHost(
  name: string,
  resolver: HostResolver,
): Promise<TargetAddress | undefined> {
  const ip = await resolver.resolve(name);
  return ip === undefined ? undefined : parseTargetAddress(ip);
}

/** Resolves a host name. Throws Failure(404) when it has no address, Failure(502) when no name server answers. */
export async function requireAddressOfHost(name: string, resolver: HostResolver): Promise<TargetAddress> {
  const address = await addressOfHost(name, resolver);
  if (!address) throw new Failure(404, UNRESOLVED_TARGET);
  return address;
}
