import type { ManifestRefusal } from '../release/contract.js';
import type { Release } from '../release/release-store.js';
import { listById } from '../stages/lists.js';
import { openFile, type Answer } from './inspect-file.js';
import { evidenceSchema, ispSchema, type EvidenceRecord, type IspShown } from './inspect-records.js';
import type { AddressTarget } from './inspect-target.js';

/** What the ISP dataset says about an address, and what it was made from. */
export interface AddressService {
  readonly isp?: Answer<IspShown>;
  /** What each list said, by its id; of the whole AS by that and its number. Absent when the release keeps no evidence, or no list speaks of the address. */
  readonly evidence?: Answer<EvidenceRecord>;
  /** Files of lists that this release could not use: what is not said here may be said there. */
  readonly refused: readonly ManifestRefusal[];
}

/** Looks an address up in the ISP dataset and in the evidence; absent when the release has none. Throws ReleaseError. */
export function inspectService(
  { address, family }: AddressTarget,
  release: Release,
): AddressService | undefined {
  const file = openFile(release, 'isp.mmdb');
  if (!file) return undefined;
  const isp = file.lookupAs(ispSchema, address, family);
  const evidence = openFile(release, 'evidence.mmdb')?.lookupAs(evidenceSchema, address, family);
  const lists = release.manifest.inputs.filter(({ feed }) => listById(feed));
  const refused = lists.flatMap(({ refusals }) => refusals).filter(({ refusal }) => refusal !== 'skipped');
  return { ...(isp && { isp }), ...(evidence && { evidence }), refused };
}
