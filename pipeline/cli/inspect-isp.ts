import type { ManifestRefusal } from '../release/contract.js';
import type { Release } from '../release/release-store.js';
import { listById } from '../lists/catalogue.js';
import { openFile, type Answer } from './inspect-file.js';
import { evidenceSchema, ispSchema, type EvidenceRecord, type IspShown } from './inspect-records.js';
import type { AddressTarget } from './inspect-target.js';

/** The ISP record of an address, and its listings. */
export interface AddressIsp {
  readonly isp?: Answer<IspShown>;
  /**
   * The listings by list id; listings of the whole AS by `<id> AS<number>`. Absent when the release has no evidence, or
   * no list contains the address.
   */
  readonly evidence?: Answer<EvidenceRecord>;
  /** Files of lists that this release refused: the address may be listed in them. */
  readonly refused: readonly ManifestRefusal[];
}

/** Looks up an address in isp.mmdb and evidence.mmdb; absent when the release has no isp.mmdb. Throws ReleaseError. */
export function inspectIsp({ address, family }: AddressTarget, release: Release): AddressIsp | undefined {
  const file = openFile(release, 'isp.mmdb');
  if (!file) return undefined;
  const isp = file.lookupAs(ispSchema, address, family);
  const evidence = openFile(release, 'evidence.mmdb')?.lookupAs(evidenceSchema, address, family);
  const lists = release.manifest.inputs.filter(({ feed }) => listById(feed));
  const refused = lists.flatMap(({ refusals }) => refusals).filter(({ refusal }) => refusal !== 'skipped');
  return { ...(isp && { isp }), ...(evidence && { evidence }), refused };
}
