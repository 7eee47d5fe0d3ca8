import { newAddress } from '../net/address.js';
import type { Release } from '../release/release-store.js';
import { openFile, type InspectedFile } from './inspect-file.js';
import { networkSchema, type NetworkShown } from './inspect-records.js';
import type { NetworkTarget } from './inspect-target.js';

/** The data of a release for an AS number. */
export interface NetworkInspection {
  readonly asn: number;
  readonly release: string;
  /** Absent when the release has no networks.mmdb. */
  readonly routing?: {
    /** Absent when the number is not delegated and not in any route. */
    readonly network?: NetworkShown;
  };
}

/** Looks up an AS number in a release. Throws ReleaseError when its file is damaged. */
export function inspectNetwork({ asn }: NetworkTarget, release: Release): NetworkInspection {
  const networks = openFile(release, 'networks.mmdb');
  const network = networks && networkOf(asn, networks);
  return { asn, release: release.id, ...(networks && { routing: network ? { network } : {} }) };
}

/** Returns the record of an AS. The key in networks.mmdb is the AS number as an IPv4 address. */
export function networkOf(asn: number, networks: InspectedFile): NetworkShown | undefined {
  const key = newAddress();
  key[3] = asn;
  return networks.lookupAs(networkSchema, key, 4)?.record;
}
