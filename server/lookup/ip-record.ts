import type { AnnouncerRecord } from '../release/records.js';
import type { RecordTables } from '../release/snapshot.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import type { TargetAddress } from '../targets/target.js';
import { UNKNOWN_BGP } from './bgp-part.js';
import { EncodedBgps, NO_ROUTE, type EncodedBgp } from './encoded-bgp.js';
import { asPart } from '../../pipeline/record/as-part.js';
import { ispPart, UNKNOWN_ISP, type IspPart } from '../../pipeline/record/isp-part.js';
import type { CountryNames, Language } from '../../pipeline/record/language.js';
import { placePart, UNKNOWN_PLACE, type PlacePart } from '../../pipeline/record/place-part.js';
import type { FlatIpRecord, IpRecord, SourceVerdict } from './ip-record-schema.js';
import { encodeRecord } from './record-json.js';
import { sourceVerdict } from './source-verdict.js';

/** Builds IP records and verdicts from a release. */
export class IpRecords {
  readonly #reserved: ReservedSpace;
  readonly #countries: CountryNames;
  readonly #bgp = new EncodedBgps();

  constructor(sources: { readonly reserved: ReservedSpace; readonly countries: CountryNames }) {
    this.#reserved = sources.reserved;
    this.#countries = sources.countries;
  }

  /** Returns the record of an address. Reserved addresses have an otherwise empty record (decision 19). */
  recordOf(address: TargetAddress, snapshot: RecordTables, language: Language): IpRecord {
    if (this.#reserved.has(address.ip)) return assemble(address, RESERVED, UNKNOWN_BGP);
    const parts = this.#partsOf(address, snapshot, language);
    return assemble(address, parts, this.#bgpOf(address, snapshot, parts).bgp);
  }

  /** Returns the record as JSON text. Reuses the encoded `bgp`, which is most of it. */
  encodedRecordOf(address: TargetAddress, snapshot: RecordTables, language: Language): string {
    if (this.#reserved.has(address.ip)) return encodeRecord(assemble(address, RESERVED, null), NO_ROUTE.json);
    const parts = this.#partsOf(address, snapshot, language);
    return encodeRecord(assemble(address, parts, null), this.#bgpOf(address, snapshot, parts).json);
  }

  /** Returns the short flat record. */
  flatRecordOf(address: TargetAddress, snapshot: RecordTables, language: Language): FlatIpRecord {
    const record = this.recordOf(address, snapshot, language);
    const { ip, country, country_code, region, city, isp, org, asn, latitude, longitude, timezone } = record;
    return { ip, country, country_code, region, city, isp, org, asn, latitude, longitude, timezone };
  }

  /** Returns the verdict of each database, in the order of the manifest. Reserved addresses have none. */
  verdictsOf({ ip }: TargetAddress, snapshot: RecordTables, language: Language): SourceVerdict[] {
    if (this.#reserved.has(ip)) return [];
    return [...snapshot.verdicts].flatMap(([source, table]) => {
      const verdict = table.get(ip);
      return verdict ? sourceVerdict(source, verdict, { language, countries: this.#countries }) : [];
    });
  }

  #partsOf({ ip }: TargetAddress, snapshot: RecordTables, language: Language): Parts {
    const place = snapshot.places.get(ip);
    const isp = snapshot.isp.get(ip);
    return {
      isReserved: false,
      place: place ? placePart(place, language, this.#countries) : UNKNOWN_PLACE,
      isp: isp ? ispPart(isp, language) : UNKNOWN_ISP,
      announcer: snapshot.announcers.get(ip),
    };
  }

  #bgpOf({ ip }: TargetAddress, snapshot: RecordTables, { announcer }: Parts): EncodedBgp {
    return this.#bgp.of(snapshot, snapshot.routes.get(ip), announcer);
  }
}

/** The parts of a record. */
interface Parts {
  readonly isReserved: boolean;
  readonly place: PlacePart;
  readonly isp: IspPart;
  readonly announcer: AnnouncerRecord | undefined;
}

const RESERVED: Parts = {
  isReserved: true,
  place: UNKNOWN_PLACE,
  isp: UNKNOWN_ISP,
  announcer: undefined,
};

/** Builds a record with its keys in the order of `server/api.md`. */
function assemble<Bgp>(
  { ip, version }: TargetAddress,
  parts: Parts,
  bgp: Bgp,
): Omit<IpRecord, 'bgp'> & { bgp: Bgp } {
  const { place, isp: operator, announcer } = parts;
  const { asn, org, as_domain } = asPart(announcer);
  // Without `isp.mmdb` the announcing AS is the best name.
  const isp = operator.isp === '' ? org : operator.isp;
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
    asn,
    org,
    isp,
    as_domain,
    continent: place.continent,
    continent_code: place.continent_code,
    ip_type: operator.ip_type,
    rdns: '',
    location: locationOf(place, isp),
    is_reserved: parts.isReserved,
    bgp,
    is_proxy: operator.is_proxy,
    proxy_type: operator.proxy_type,
    usage_type: operator.usage_type,
    proxy_domain: operator.proxy_domain,
    proxy_isp: operator.proxy_isp,
    provider: operator.provider,
    threat: operator.threat,
    fraud_score: operator.fraud_score,
    last_seen: operator.last_seen,
    is_cloud_idc: operator.is_cloud_idc,
    cloud_provider: operator.cloud_provider,
    ...(place.is_anycast === true && { is_anycast: true }),
  };
}

/** Joins the names for display, without empty or repeated ones (上海 is a region and a city; decision 22). */
function locationOf({ country, region, city }: PlacePart, isp: string): string {
  const words: string[] = [];
  for (const word of [country, region, city, isp]) {
    if (word !== '' && !words.includes(word)) words.push(word);
  }
  return words.join(' ');
}
