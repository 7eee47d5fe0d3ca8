import type { WantedKeys } from '../mmdb/field-decoder.js';
import type { ProxyRecord } from '../isp/isp-record.js';

/**
 * The fields of records of `geo.mmdb`, `asn.mmdb` and `isp.mmdb` that the IP record shows. Absent means unknown, or
 * false.
 */

/** Names by language, at least one. */
export interface Names {
  readonly en?: string | undefined;
  readonly 'zh-CN'?: string | undefined;
}

interface Named {
  readonly names?: Names;
  /** The probability in percent that this level is right. */
  readonly confidence?: number;
}

interface Coded extends Named {
  /** ISO 3166-1 alpha-2 of a country. Of a subdivision, the part of ISO 3166-2 after the hyphen. */
  readonly iso_code?: string;
}

/** A record of `geo.mmdb`: GeoIP2 City. */
export interface PlaceRecord {
  readonly city?: Named;
  readonly continent?: Named & { readonly code: string };
  readonly country?: Coded;
  readonly location?: {
    /** Degrees. */
    readonly latitude?: number;
    readonly longitude?: number;
    /** In km. The place is within this distance in two of three cases. */
    readonly accuracy_radius?: number;
    readonly time_zone?: string;
  };
  readonly subdivisions?: readonly Coded[];
  readonly traits?: { readonly is_anycast?: boolean };
}

const NAMED = { names: true, confidence: true } as const;
const CODED = { ...NAMED, iso_code: true } as const;

/** The fields of PlaceRecord, for a decoder that passes over the others. */
export const PLACE_FIELDS: WantedKeys = {
  city: NAMED,
  continent: { ...NAMED, code: true },
  country: CODED,
  location: { latitude: true, longitude: true, accuracy_radius: true, time_zone: true },
  subdivisions: CODED,
  traits: { is_anycast: true },
};

/** A record of `isp.mmdb`. */
export interface IspRecord {
  readonly isp?: string;
  readonly isp_names?: Names;
  readonly organization?: string;
  readonly autonomous_system_number?: number;
  readonly autonomous_system_organization?: string;
  readonly usage_type?: string;
  readonly is_anonymous?: boolean;
  readonly is_cloud_idc?: boolean;
  readonly proxy?: ProxyRecord;
  readonly cloud?: { readonly provider: string; readonly service?: string; readonly region?: string };
}

/** A record of `asn.mmdb`: the AS that announces an address. `as_source` is the publisher that observed it. */
export interface AnnouncerRecord {
  readonly autonomous_system_number: number;
  readonly autonomous_system_organization?: string;
  readonly as_name?: string;
  readonly as_domain?: string;
  readonly as_country?: string;
  /** Absent when a route of `routes.mmdb` gives the AS. */
  readonly as_source?: 'geolite2' | 'ipinfo';
}
