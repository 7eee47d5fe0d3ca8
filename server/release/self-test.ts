import { ReleaseRefused } from './release-refused.js';
import type { Snapshot } from './snapshot.js';

/**
 * Asks a release what every release knows before anybody else asks it. Throws ReleaseRefused when a large anycast
 * address of either family is not where it has been for years, when space that belongs to nobody has a record, or when
 * the AS that announces an address is not found by its number.
 */
export function selfTest(snapshot: Tables): void {
  for (const ip of AMERICAN) {
    const found = snapshot.places.get(ip)?.country?.iso_code;
    if (found !== 'US') throw refused('geo.mmdb', `${ip} is in ${found ?? 'no country'}, not in US`);
  }
  for (const [file, table] of Object.entries({
    'geo.mmdb': snapshot.places,
    'isp.mmdb': snapshot.services,
    'asn.mmdb': snapshot.announcers,
    'routes.mmdb': snapshot.routes,
  })) {
    for (const ip of NOBODYS) {
      if (table.get(ip)) throw refused(file, `${ip} has a record: that space belongs to nobody`);
    }
  }
  checkAnnouncer(snapshot);
}

/** What is asked of a snapshot. */
export type Tables = Pick<Snapshot, 'places' | 'services' | 'announcers' | 'routes' | 'networkOf'>;

/** The build holds every release to these, too. */
const AMERICAN = ['8.8.8.8', '2001:4860:4860::8888'];
const NOBODYS = ['10.0.0.1', '127.0.0.1', '2001:db8::1'];

function checkAnnouncer({ announcers, networkOf }: Tables): void {
  for (const ip of AMERICAN) {
    const asn = announcers.get(ip)?.autonomous_system_number;
    if (asn === undefined) continue;
    const found = networkOf(asn)?.asn;
    if (found !== asn) {
      throw refused(
        'networks.mmdb',
        `AS${asn} announces ${ip} and is ${found === undefined ? 'not there' : `AS${found}`}`,
      );
    }
  }
}

function refused(file: string, reason: string): ReleaseRefused {
  return new ReleaseRefused(file, reason);
}
