import type { WantedKeys } from '../mmdb/field-decoder.js';
import { asPart, type AsPart } from '../record/as-part.js';
import { ispPart, type IspPart } from '../record/isp-part.js';
import { CountryNames, type Language } from '../record/language.js';
import { placePart, type PlacePart } from '../record/place-part.js';
import type { AnnouncerRecord } from '../record/records.js';

/** The datasets of a lookup: `geo.mmdb`, `asn.mmdb` and `isp.mmdb`. */
export const LOOKUP_DATASETS = ['geo', 'asn', 'isp'] as const;
export type LookupDataset = (typeof LOOKUP_DATASETS)[number];

/** A value of a field. Unknown values are `''` or null, as in the API. */
export type FieldValue = string | number | boolean | null;

const PLACE_FIELDS = [
  ...['country', 'country_code', 'region', 'city', 'latitude', 'longitude', 'timezone'],
  ...['continent', 'continent_code', 'is_anycast'],
] as readonly (keyof PlacePart)[];
const AS_FIELDS = ['asn', 'org', 'as_domain'] as const satisfies readonly (keyof AsPart)[];
const ISP_FIELDS = [
  ...['isp', 'ip_type', 'is_proxy', 'proxy_type', 'usage_type', 'proxy_domain', 'proxy_isp', 'provider'],
  ...['threat', 'fraud_score', 'last_seen', 'is_cloud_idc', 'cloud_provider'],
] as readonly (keyof IspPart)[];

/** The dataset of each field, by its name in the API's IP record. */
export const LOOKUP_FIELDS: ReadonlyMap<string, LookupDataset> = new Map([
  ...PLACE_FIELDS.map((name) => [name, 'geo'] as const),
  ...AS_FIELDS.map((name) => [name, 'asn'] as const),
  ...ISP_FIELDS.map((name) => [name, 'isp'] as const),
]);

/** The fields that are added by default. */
export const DEFAULT_FIELDS: readonly string[] = [
  ...['country_code', 'region', 'city', 'asn', 'org', 'isp', 'usage_type', 'is_proxy', 'proxy_type'],
  ...['is_cloud_idc', 'cloud_provider'],
];

const NAMES = { en: true, 'zh-CN': true } as const;

/** The keys of the records that the fields are made of. */
export const RECORD_KEYS: Readonly<Record<LookupDataset, WantedKeys>> = {
  geo: {
    city: { names: NAMES },
    continent: { code: true, names: NAMES },
    country: { iso_code: true, names: NAMES },
    location: { latitude: true, longitude: true, time_zone: true },
    subdivisions: { names: NAMES },
    traits: { is_anycast: true },
  },
  asn: { autonomous_system_number: true, autonomous_system_organization: true, as_domain: true },
  isp: {
    isp: true,
    isp_names: NAMES,
    usage_type: true,
    is_anonymous: true,
    is_cloud_idc: true,
    proxy: true,
    cloud: { provider: true },
  },
};

/**
 * Returns the values of a dataset's fields in a record, by name; `record` is undefined for an address without one. A flag
 * that is absent is false.
 */
type ReadFields = (record: object | undefined) => Readonly<Partial<Record<string, FieldValue>>>;

/** Returns the readers of records in a language. They make the values that the API shows. */
export function fieldReaders(language: Language): Readonly<Record<LookupDataset, ReadFields>> {
  const countries = new CountryNames();
  return {
    geo: (record) => byName(placePart(record, language, countries)),
    asn: (record) => byName(asPart(record as AnnouncerRecord | undefined)),
    isp: (record) => byName(ispPart(record, language)),
  };
}

/** Types a part of a record by names, without copying it. */
function byName(part: PlacePart | AsPart | IspPart): Readonly<Partial<Record<string, FieldValue>>> {
  return part as unknown as Readonly<Partial<Record<string, FieldValue>>>;
}
