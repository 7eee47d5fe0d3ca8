import { ReleaseRefused, type Snapshot } from './snapshot.js';

/**
 * Checks well-known answers of a release before it is served. Throws ReleaseRefused when a large anycast address of
 * either family is not in its usual country, when reserved space has a record, or when the origin AS of a route is not
 * found by its number.
 */
export function selfTest(snapshot: Tables): void {
  for (const ip of US_IPS) {
    const found = snapshot.places.get(ip)?.country?.iso_code;
    if (found !== 'US') throw refused('geo.mmdb', `${ip} is in ${found ?? 'no country'}, expected US`);
  }
  for (const [file, table] of Object.entries({
    'geo.mmdb': snapshot.places,
    'isp.mmdb': snapshot.isp,
    'asn.mmdb': snapshot.announcers,
    'routes.mmdb': snapshot.routes,
  })) {
    for (const ip of RESERVED_IPS) {
      if (table.get(ip)) throw refused(file, `${ip} is reserved but has a record`);
    }
  }
  checkAnnouncer(snapshot);
}

/** The parts of a snapshot that are tested. */
export type Tables = Pick<Snapshot, 'places' | 'isp' | 'announcers' | 'routes' | 'networkOf'>;

/** The build's gates check these addresses as well. */
const US_IPS = ['8.8.8.8', '2001:4860:4860::8888'];
const RESERVED_IPS = ['10.0.0.1', '127.0.0.1', '2001:db8::1'];

function checkAnnouncer({ announcers, networkOf }: Tables): void {
  for (const ip of US_IPS) {
    const { autonomous_system_number: asn, as_source: source } = announcers.get(ip) ?? {};
    // An AS that no collector sees may be in no registry either.
    if (asn === undefined || source !== undefined) continue;
    const found = networkOf(asn)?.asn;
    if (found !== asn) {
      throw refused(
        'networks.mmdb',
        `AS${asn} announces ${ip}, but its record is ${found === undefined ? 'missing' : `that of AS${found}`}`,
      );
    }
  }
}

function refused(file: string, reason: string): ReleaseRefused {
  return new ReleaseRefused(file, reason);
}
