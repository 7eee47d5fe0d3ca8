import { asPart } from '../../pipeline/record/as-part.js';
import { ispPart } from '../../pipeline/record/isp-part.js';
import type { CountryNames, Language } from '../../pipeline/record/language.js';
import { placePart, UNKNOWN_PLACE, type PlacePart } from '../../pipeline/record/place-part.js';
import type { ByteText } from '../byte-text.js';
import type { RecordTables, Snapshot } from '../release/snapshot.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import type { TargetAddress } from '../targets/target.js';
import { BgpCache } from './bgp-cache.js';
import { UNKNOWN_BGP } from './bgp-part.js';
import {
  ipRecordSchema,
  type BgpPart,
  type FlatIpRecord,
  type IpRecord,
  type SourceVerdict,
} from './ip-record-schema.js';
import { locationOf } from './location.js';
import { ispName, networkPart, RESERVED_NETWORK, type NetworkPart } from './network-part.js';
import { RecordTexts } from './record-texts.js';
import { sourceVerdict } from './source-verdict.js';

/** Builds IP records and verdicts from a release. */
export class IpRecords {
  readonly #reserved: ReservedSpace;
  readonly #countries: CountryNames;
  readonly #bgp = new BgpCache();
  readonly #texts: RecordTexts;

  constructor(sources: { readonly reserved: ReservedSpace; readonly countries: CountryNames }) {
    this.#reserved = sources.reserved;
    this.#countries = sources.countries;
    this.#texts = new RecordTexts(sources);
  }

  /** Returns the record of an address. Reserved addresses have an otherwise empty record (decision 19). */
  recordOf(address: TargetAddress, snapshot: RecordTables, language: Language): IpRecord {
    const { ip } = address;
    if (this.#reserved.has(ip)) return assemble(address, UNKNOWN_PLACE, RESERVED_NETWORK, UNKNOWN_BGP);
    const announcer = snapshot.announcers.get(ip);
    return assemble(
      address,
      placePart(snapshot.places.get(ip), language, this.#countries),
      networkPart(snapshot.isp.get(ip), announcer, language),
      this.#bgp.of(snapshot, snapshot.routes.get(ip), announcer),
    );
  }

  /** Returns the record of an address as JSON, from texts that are encoded once per release. */
  textOf(address: TargetAddress, snapshot: Snapshot, language: Language): ByteText {
    return this.#texts.textOf(address, snapshot, language);
  }

  /** Returns the short flat record as JSON, from texts that are encoded once per release. */
  flatTextOf(address: TargetAddress, snapshot: Snapshot, language: Language): ByteText {
    return this.#texts.flatTextOf(address, snapshot, language);
  }

  /** Returns the short flat record. */
  flatRecordOf(address: TargetAddress, snapshot: RecordTables, language: Language): FlatIpRecord {
    const { ip } = address;
    const { places, isp: operators, announcers } = this.#reserved.has(ip) ? NO_RECORDS : snapshot;
    const as = asPart(announcers.get(ip));
    const isp = ispName(ispPart(operators.get(ip), language), as);
    const place = placePart(places.get(ip), language, this.#countries);
    const { country, country_code, region, city, latitude, longitude, timezone } = place;
    const { org, asn } = as;
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
}

/** The fields of a record, in their order. */
const RECORD_KEYS = Object.keys(ipRecordSchema.shape) as readonly (keyof IpRecord)[];

/** What the tables have of a reserved address. */
const NO_RECORD = { get: () => undefined };
const NO_RECORDS = { places: NO_RECORD, isp: NO_RECORD, announcers: NO_RECORD };

/** Builds a record with its keys in the order of the schema. Unknown optional fields are left out. */
function assemble(
  { ip, version }: TargetAddress,
  place: PlacePart,
  network: NetworkPart,
  bgp: BgpPart,
): IpRecord {
  const location = locationOf(place, network.isp);
  const fields: Partial<IpRecord> = { ip, version, ...place, ...network, location, bgp };
  const record: Partial<Record<keyof IpRecord, unknown>> = {};
  for (const key of RECORD_KEYS) if (fields[key] !== undefined) record[key] = fields[key];
  return record as IpRecord;
}
