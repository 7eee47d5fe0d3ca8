import type { FieldPath } from '../mmdb/field-reader.js';

/** The type of a column. A list is text with its elements joined by spaces. */
export type ColumnType = 'text' | 'integer' | 'decimal' | 'boolean' | 'list';

/** A column of an export: a field of the records under a name that SQL accepts without quotes. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly path: FieldPath;
}

/** The datasets that can be exported. */
export type DatasetKind = 'geo' | 'asn' | 'isp' | 'routes' | 'verdict';

/** Returns the dataset of a database type, ours or that of an edition; absent for other types. */
export function kindOf(databaseType: string): DatasetKind | undefined {
  // The name may be followed by compatible types in parentheses; verdicts are followed by their feed.
  return KINDS.get(databaseType.replace(/ \(.*\)$/, '').replace(/^(ipatlas-Verdicts)-[a-z0-9-]+$/, '$1'));
}

/** The database types that can be exported. */
export function exportedTypes(): readonly string[] {
  return [...KINDS.keys()];
}

const KINDS: ReadonlyMap<string, DatasetKind> = new Map([
  ['ipatlas-City', 'geo'],
  ['GeoLite2-City', 'geo'],
  ['GeoIP2-City', 'geo'],
  ['GeoLite2-Country', 'geo'],
  ['GeoIP2-Country', 'geo'],
  ['ipatlas-ASN', 'asn'],
  ['GeoLite2-ASN', 'asn'],
  ['ipatlas-ISP', 'isp'],
  ['GeoIP2-ISP', 'isp'],
  ['GeoIP2-Anonymous-IP', 'isp'],
  ['ipatlas-Routes', 'routes'],
  ['ipatlas-Verdicts', 'verdict'],
]);

/** The columns of each dataset, in the order of the files. */
export const COLUMNS: Readonly<Record<DatasetKind, readonly Column[]>> = {
  geo: [
    ...place('country', ['country']),
    ...place('registered_country', ['registered_country']).slice(0, 4),
    ...place('subdivision', ['subdivisions', 0]),
    ...place('city', ['city']).slice(1),
    text('continent_code', 'continent', 'code'),
    column('latitude', 'decimal', 'location', 'latitude'),
    column('longitude', 'decimal', 'location', 'longitude'),
    column('accuracy_radius', 'integer', 'location', 'accuracy_radius'),
    text('time_zone', 'location', 'time_zone'),
    column('is_anycast', 'boolean', 'traits', 'is_anycast'),
    text('decided_by', 'agreement', 'rule'),
    column('country_feeds', 'list', 'agreement', 'country'),
    column('region_feeds', 'list', 'agreement', 'region'),
    column('city_feeds', 'list', 'agreement', 'city'),
  ],
  asn: [
    column('autonomous_system_number', 'integer', 'autonomous_system_number'),
    text('autonomous_system_organization', 'autonomous_system_organization'),
    text('as_name', 'as_name'),
    text('as_domain', 'as_domain'),
    text('as_country', 'as_country'),
    text('as_source', 'as_source'),
  ],
  isp: [
    text('isp', 'isp'),
    text('isp_zh', 'isp_names', 'zh-CN'),
    text('organization', 'organization'),
    column('autonomous_system_number', 'integer', 'autonomous_system_number'),
    text('autonomous_system_organization', 'autonomous_system_organization'),
    text('usage_type', 'usage_type'),
    ...flags('is_anonymous', 'is_anonymous_vpn', 'is_hosting_provider', 'is_public_proxy'),
    ...flags('is_residential_proxy', 'is_tor_exit_node', 'is_cloud_idc'),
    ...['type', 'domain', 'isp', 'provider', 'threat'].map((name) => text(`proxy_${name}`, 'proxy', name)),
    column('proxy_fraud_score', 'integer', 'proxy', 'fraud_score'),
    text('proxy_last_seen', 'proxy', 'last_seen'),
    ...['provider', 'service', 'region'].map((name) => text(`cloud_${name}`, 'cloud', name)),
  ],
  routes: [
    text('route', 'prefix'),
    column('origin', 'integer', 'origin'),
    ...['rpki', 'as_name', 'as_country', 'line'].map((name) => text(name, name)),
    ...['prefix', 'country', 'registry', 'status'].map((name) =>
      text(`allocation_${name}`, 'allocation', name),
    ),
  ],
  verdict: [
    ...['country', 'region', 'region_name', 'region_zh'].map((name) => text(name, name)),
    column('city_id', 'integer', 'city_id'),
    ...['city', 'city_zh', 'isp'].map((name) => text(name, name)),
    column('latitude', 'decimal', 'latitude'),
    column('longitude', 'decimal', 'longitude'),
    text('basis', 'basis'),
    ...flags('is_anycast'),
  ],
};

function column(name: string, type: ColumnType, ...path: FieldPath): Column {
  return { name, type, path };
}

function text(name: string, ...path: FieldPath): Column {
  return { name, type: 'text', path };
}

function flags(...names: readonly string[]): Column[] {
  return names.map((name) => column(name, 'boolean', name));
}

/** The columns of a country, a region or a city; cities have no code. */
function place(name: string, path: FieldPath): Column[] {
  return [
    text(`${name}_iso_code`, ...path, 'iso_code'),
    column(`${name}_geoname_id`, 'integer', ...path, 'geoname_id'),
    text(`${name}_name`, ...path, 'names', 'en'),
    text(`${name}_name_zh`, ...path, 'names', 'zh-CN'),
    column(`${name}_confidence`, 'integer', ...path, 'confidence'),
  ];
}
