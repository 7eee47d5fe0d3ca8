import { basename, join } from 'node:path';
import { formatAddress } from '../net/address.js';
import type { Release } from '../release/release-store.js';
import { InspectedFile, type Answer } from './inspect-file.js';
import { geoSchema, verdictSchema, type GeoRecord, type VerdictShown } from './inspect-records.js';
import { inspectRouting, type AddressRouting } from './inspect-route.js';
import { inspectService, type AddressService } from './inspect-service.js';
import type { AddressTarget } from './inspect-target.js';

/** Everything a release knows about one address. Absent where there is no answer. */
export interface Inspection {
  readonly ip: string;
  readonly release: string;
  readonly geo: Answer<GeoRecord> | undefined;
  /** What each feed said, by id. */
  readonly feeds: Readonly<Record<string, Answer<VerdictShown> | undefined>>;
  /** Absent when the release has no routing datasets. */
  readonly routing?: AddressRouting;
  /** Absent when the release has no ISP dataset. */
  readonly service?: AddressService;
}

/**
 * Looks an address up in a release: the merged answer, every feed's own, what the routing datasets say, and what
 * the ISP dataset says with the lists behind it. Throws ReleaseError when a file is damaged.
 */
export function inspectAddress(target: AddressTarget, release: Release): Inspection {
  const { address, family } = target;
  const open = (name: string): InspectedFile => new InspectedFile(join(release.dir, name));
  const verdicts = release.manifest.files.filter(({ kind }) => kind === 'verdicts');
  const routing = inspectRouting(target, release);
  const service = inspectService(target, release);
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
