import { arrayOf, map, mapOf, type MapSchema } from '../schema.js';

const NAMES = mapOf('string');
const COUNTRY = map({ iso_code: 'string', geoname_id: 'uint32', names: NAMES, confidence: 'uint16' });

/** The schema of GeoIP2 City records. */
export const CITY_SCHEMA: MapSchema = map({
  continent: map({ code: 'string', geoname_id: 'uint32', names: NAMES }),
  country: COUNTRY,
  registered_country: COUNTRY,
  subdivisions: arrayOf(map({ iso_code: 'string', geoname_id: 'uint32', names: NAMES })),
  city: map({ geoname_id: 'uint32', names: NAMES, confidence: 'uint16' }),
  location: map({ latitude: 'double', longitude: 'double', accuracy_radius: 'uint16', time_zone: 'string' }),
});

/** The schema of GeoLite2 ASN records. */
export const ASN_SCHEMA: MapSchema = map({
  autonomous_system_number: 'uint32',
  autonomous_system_organization: 'string',
});

/** The schema of GeoIP2 ISP records. */
export const ISP_SCHEMA: MapSchema = map({
  autonomous_system_number: 'uint32',
  autonomous_system_organization: 'string',
  isp: 'string',
  organization: 'string',
  mobile_country_code: 'string',
  mobile_network_code: 'string',
});

/** A schema with one key per type of the format. */
export const TYPES_SCHEMA: MapSchema = map({
  string: 'string',
  double: 'double',
  float: 'float',
  bytes: 'bytes',
  uint16: 'uint16',
  uint32: 'uint32',
  uint64: 'uint64',
  uint128: 'uint128',
  int32: 'int32',
  boolean: 'boolean',
  array: arrayOf('string'),
  map: mapOf('string'),
});
