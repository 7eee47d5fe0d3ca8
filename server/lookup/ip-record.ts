import type { AnnouncerRecord, RoutedRecord } from '../release/records.js';
import type { Snapshot } from '../release/snapshot.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import type { TargetAddress } from '../targets/target.js';
import { bgpPart, UNKNOWN_BGP } from './bgp-part.js';
import type { CountryNames } from './country-names.js';
import type { BgpPart, FlatIpRecord, IpRecord, SourceVerdict } from './ip-record-schema.js';
import type { Language } from './language.js';
import { placePart, UNKNOWN_PLACE, type PlacePart } from './place-part.js';
import { encodeRecord } from './record-json.js';
import { servicePart, UNKNOWN_SERVICE, type ServicePart } from './service-part.js';
import { sourceVerdict } from './source-verdict.js';

/** Makes IP records, and what belongs to them, out of a release; nowhere else are they made. */
export class IpRecords {
  readonly #reserved: ReservedSpace;
  readonly #countries: CountryNames;
  /** Lists of neighbours and exchanges are long, and the same for all addresses of a route. */
  readonly #bgp = new WeakMap<Snapshot, WeakMap<RoutedRecord, EncodedBgp>>();

  constructor(sources: { readonly reserved: ReservedSpace; readonly countries: CountryNames }) {
    this.#reserved = sources.reserved;
    this.#countries = sources.countries;
  }

  /** All that a release knows of an address; of a reserved one nothing but that (ruling 19). */
  recordOf(address: TargetAddress, snapshot: Snapshot, language: Language): IpRecord {
    if (this.#reserved.has(address.ip)) return assemble(address, RESERVED, UNKNOWN_BGP);
    return assemble(address, this.#partsOf(address, snapshot, language), this.#bgpOf(address, snapshot).bgp);
  }

  /** The same as JSON text. `bgp` is most of it, and is not encoded for every call. */
  encodedRecordOf(address: TargetAddress, snapshot: Snapshot, language: Language): string {
    if (this.#reserved.has(address.ip)) return encodeRecord(assemble(address, RESERVED, null), NO_ROUTE.json);
    const record = assemble(address, this.#partsOf(address, snapshot, language), null);
    return encodeRecord(record, this.#bgpOf(address, snapshot).json);
  }

  /** The same without its envelope, in short. */
  flatRecordOf(address: TargetAddress, snapshot: Snapshot, language: Language): FlatIpRecord {
    const record = this.recordOf(address, snapshot, language);
    const { ip, country, country_code, region, city, isp, org, asn, latitude, longitude, timezone } = record;
    return { ip, country, country_code, region, city, isp, org, asn, latitude, longitude, timezone };
  }

  /** What each database says of an address, in the order of the manifest; none of a reserved one. */
  verdictsOf({ ip }: TargetAddress, snapshot: Snapshot, language: Language): SourceVerdict[] {
    if (this.#reserved.has(ip)) return [];
    return [...snapshot.verdicts].flatMap(([source, table]) => {
      const verdict = table.get(ip);
      return verdict ? sourceVerdict(source, verdict, { language, countries: this.#countries }) : [];
    });
  }

  #partsOf({ ip }: TargetAddress, snapshot: Snapshot, language: Language): Parts {
    const place = snapshot.places.get(ip);
    const service = snapshot.services.get(ip);
    return {
      isReserved: false,
      place: place ? placePart(place, language, this.#countries) : UNKNOWN_PLACE,
      service: service ? servicePart(service, language) : UNKNOWN_SERVICE,
      announcer: snapshot.announcers.get(ip),
    };
  }

  #bgpOf({ ip }: TargetAddress, snapshot: Snapshot): EncodedBgp {
    const route = snapshot.routes.get(ip);
    if (route === undefined) return NO_ROUTE;
    let parts = this.#bgp.get(snapshot);
    if (parts === undefined) this.#bgp.set(snapshot, (parts = new WeakMap()));
    let part = parts.get(route);
    if (part === undefined) parts.set(route, (part = encodeBgp(bgpPart(route, snapshot))));
    return part;
  }
}

/** What a record is put together from. */
interface Parts {
  readonly isReserved: boolean;
  readonly place: PlacePart;
  readonly service: ServicePart;
  readonly announcer: AnnouncerRecord | undefined;
}

/** `bgp` of a record, and its JSON. */
interface EncodedBgp {
  readonly bgp: BgpPart;
  readonly json: string;
}

const NO_ROUTE = encodeBgp(UNKNOWN_BGP);

function encodeBgp(bgp: BgpPart): EncodedBgp {
  return { bgp, json: JSON.stringify(bgp) };
}

const RESERVED: Parts = {
  ...{ isReserved: true, place: UNKNOWN_PLACE, service: UNKNOWN_SERVICE },
  announcer: undefined,
};

/** The keys in the order of the description. */
function assemble<Bgp>(
  { ip, version }: TargetAddress,
  parts: Parts,
  bgp: Bgp,
): Omit<IpRecord, 'bgp'> & { bgp: Bgp } {
  const { place, service, announcer } = parts;
  const org = announcer?.autonomous_system_organization ?? '';
  // A release without `isp.mmdb` still knows who announces the address.
  const isp = service.isp === '' ? org : service.isp;
  return {
    ip,
    version,
    country: place.country,
    country_code: place.country_code,
    region: place.region,
    city: place.city,
    latitude: place.latitude,
    longitude: place.longitude,
    timezone: place.timezone,
    asn: announcer?.autonomous_system_number ?? null,
    org,
    isp,
    as_domain: announcer?.as_domain ?? '',
    continent: place.continent,
    continent_code: place.continent_code,
    ip_type: service.ip_type,
    rdns: '',
    location: locationOf(place, isp),
    is_reserved: parts.isReserved,
    bgp,
    is_proxy: service.is_proxy,
    proxy_type: service.proxy_type,
    usage_type: service.usage_type,
    proxy_domain: service.proxy_domain,
    proxy_isp: service.proxy_isp,
    provider: service.provider,
    threat: service.threat,
    fraud_score: service.fraud_score,
    last_seen: service.last_seen,
    is_cloud_idc: service.is_cloud_idc,
    cloud_provider: service.cloud_provider,
  };
}

/** For display: no blanks, and nothing twice (上海 is a region and a city; ruling 22). */
function locationOf({ country, region, city }: PlacePart, isp: string): string {
  const words: string[] = [];
  for (const word of [country, region, city, isp]) {
    if (word !== '' && !words.includes(word)) words.push(word);
  }
  return words.join(' ');
}
