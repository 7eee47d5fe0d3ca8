import { newAddress } from '../net/address.js';
import type { Release } from '../release/release-store.js';
import { openFile, type InspectedFile } from './inspect-file.js';
import { networkSchema, type NetworkShown } from './inspect-records.js';
import type { NetworkTarget } from './inspect-target.js';

/** What a release knows about an AS number. */
export interface NetworkInspection {
  readonly asn: number;
  readonly release: string;
  /** Absent when the release has no networks.mmdb. */
  readonly routing?: {
    /** Absent when the number is neither delegated nor seen. */
    readonly network?: NetworkShown;
  };
}

/** Looks an AS number up in a release. Throws ReleaseError when its file is damaged. */
export function inspectNetwork({ asn }: NetworkTarget, release: Release): NetworkInspection {
  const networks = openFile(release, 'networks.mmdb');
  const network = networks && networkOf(asn, networks);
  return { asn, release: release.id, ...(networks && { routing: network ? { network } : {} }) };
}

/** The record of an AS: networks.mmdb holds it under the number as an IPv4 address. */
export function networkOf(asn: number, networks: InspectedFile): NetworkShown | undefined {
  const key = newAddress();
  key[3] = asn;
  return networks.lookupAs(networkSchema, key, 4)?.record;
}
