import { basename, join } from 'node:path';
import { formatAddress } from '../net/address.js';
import type { Release } from '../release/release-store.js';
import { InspectedFile, type Answer } from './inspect-file.js';
import { inspectIsp, type AddressIsp } from './inspect-isp.js';
import { geoSchema, verdictSchema, type GeoRecord, type VerdictShown } from './inspect-records.js';
import { inspectRouting, type AddressRouting } from './inspect-route.js';
import type { AddressTarget } from './inspect-target.js';
import type { ReservedBlock } from './reserved-block.js';

/** Everything a release has for one address. Fields without a record are absent. */
export interface Inspection {
  readonly ip: string;
  readonly release: string;
  readonly geo: Answer<GeoRecord> | undefined;
  /** The verdict of each feed, by id. */
  readonly feeds: Readonly<Record<string, Answer<VerdictShown> | undefined>>;
  /** Absent when the release has no routing datasets. */
  readonly routing?: AddressRouting;
  /** Absent when the release has no isp.mmdb. Printed as `service` by `inspect --json`. */
  readonly service?: AddressIsp;
  /** Present when the address is in special-purpose space. */
  readonly reserved?: ReservedBlock;
}

/**
 * Looks up an address in a release: the merged record, each feed's verdict, the route, and the ISP record with its
 * listings. Throws ReleaseError when a file is damaged.
 */
export function inspectAddress(target: AddressTarget, release: Release): Inspection {
  const { address, family } = target;
  const open = (name: string): InspectedFile => new InspectedFile(join(release.dir, name));
  const verdicts = release.manifest.files.filter(({ kind }) => kind === 'verdicts');
  const routing = inspectRouting(target, release);
  const service = inspectIsp(target, release);
  return {
    ip: formatAddress(address, family),
    release: release.id,
    geo: open('geo.mmdb').lookupAs(geoSchema, address, family),
    feeds: Object.fromEntries(
      verdicts.map(({ name }) => {
        return [basename(name, '.mmdb'), open(name).lookupAs(verdictSchema, address, family)];
      }),
    ),
    ...(routing && { routing }),
    ...(service && { service }),
  };
}
