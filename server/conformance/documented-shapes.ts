import type { Shape } from './shape.js';

/*
 * The documented response shapes, written by hand. They are not derived from the server's schemas, because then an error
 * in a schema would go unnoticed.
 */

/** The `bgp` object of an IP record. */
// prettier-ignore
const NETWORK = {
  prefix: 'string|null', as: 'integer|null', as_name: 'string|null', as_cc: 'string|null',
  allocation: 'string|null', allocation_cc: 'string|null', rpki_status: 'string|null',
  peers: [{ asn: 'integer', name: 'string' }],
  ix: [{ id: 'integer', name: 'string', city: 'string', country: 'string' }],
  'line?': 'string', 'as_source?': 'string',
} satisfies Shape;

/** The IP record. */
// prettier-ignore
export const IP_RECORD = {
  ip: 'string', version: 'integer', country: 'string', country_code: 'string', region: 'string',
  city: 'string', latitude: 'number|null', longitude: 'number|null', timezone: 'string',
  asn: 'integer|null', org: 'string', isp: 'string', as_domain: 'string', continent: 'string',
  continent_code: 'string', ip_type: 'string', rdns: 'string', location: 'string',
  is_reserved: 'boolean', bgp: NETWORK, is_proxy: 'boolean', proxy_type: 'string', usage_type: 'string',
  proxy_domain: 'string', proxy_isp: 'string', provider: 'string', threat: 'string',
  fraud_score: 'string', last_seen: 'string', is_cloud_idc: 'boolean', cloud_provider: 'string',
  'is_anycast?': 'boolean',
} satisfies Shape;

/** The flat record of `/json`. */
// prettier-ignore
export const FLAT_RECORD = {
  ip: 'string', country: 'string', country_code: 'string', region: 'string', city: 'string',
  isp: 'string', org: 'string', asn: 'integer|null', latitude: 'number|null', longitude: 'number|null',
  timezone: 'string',
} satisfies Shape;

/** The verdicts of all sources about an address. */
// prettier-ignore
export const VERDICTS = {
  ip: 'string',
  sources: [
    {
      source: 'string', country: 'string', region: 'string', city: 'string', isp: 'string',
      lat: 'number|null', lng: 'number|null',
    },
  ],
} satisfies Shape;

/** A failed entry of a batch. */
export const FAILED_ENTRY = { ip: 'string', error: 'string' } satisfies Shape;

/** The whois record. */
// prettier-ignore
export const WHOIS_RECORD = {
  target: 'string', raw: 'string', registrar: 'string', creation_date: 'string', expiry_date: 'string',
  updated_date: 'string', nameservers: ['string'], status: ['string'], registrant: 'string',
  dnssec: 'string', is_asn: 'boolean', available: 'boolean',
} satisfies Shape;

/** One DNS record. */
// prettier-ignore
const DNS_RECORD = {
  type: 'string', name: 'string', ttl: 'integer', value: 'string', 'priority?': 'integer',
  'serial?': 'integer', 'refresh?': 'integer', 'retry?': 'integer', 'expire?': 'integer',
  'minimum_ttl?': 'integer',
} satisfies Shape;

/** All DNS records of a name. */
export const DNS_RECORDS = { domain: 'string', records: [DNS_RECORD] } satisfies Shape;

/** The DNS records of one type. */
// prettier-ignore
export const DNS_OF_TYPE = {
  records: [DNS_RECORD], query: 'string', type: 'string', server: 'string',
} satisfies Shape;

/** The result of a TCP probe. */
// prettier-ignore
export const PROBE_RESULT = {
  target: 'string', host: 'string', ip: 'string', port: 'integer', sent: 'integer', recv: 'integer',
  loss: 'number', min: 'number|null', max: 'number|null', avg: 'number|null', rtts: ['number|null'],
  'timeout_ms?': 'integer',
  source: {
    type: 'string', 'code?': 'string', 'name?': 'string', 'country_code?': 'string', 'city?': 'string',
  },
} satisfies Shape;

/** The profile of an AS. */
// prettier-ignore
export const AS_PROFILE = {
  asn: 'integer', name: 'string', entity: 'string', cc: 'string', registry: 'string', status: 'string',
  in_use: 'boolean', private: 'boolean', ipv4_prefix_count: 'integer', ipv6_prefix_count: 'integer',
  ipv4_prefixes: ['string'], ipv6_prefixes: ['string'],
} satisfies Shape;

const NEIGHBOURS = [{ asn: 'integer', power: 'integer', name: 'string' }] as const;

/** The neighbours of an AS. */
// prettier-ignore
export const AS_TOPOLOGY = {
  asn: 'integer', upstreams: NEIGHBOURS, downstreams: NEIGHBOURS, peers: NEIGHBOURS,
} satisfies Shape;

/** The upstreams of a prefix. */
// prettier-ignore
export const PREFIX_UPSTREAMS = {
  prefix: 'string', origin_as: 'integer', upstreams: [{ asn: 'integer', count: 'integer' }],
} satisfies Shape;

/** The networks and facilities found by a search. */
export const PEERING_HITS = {
  nets: [{ asn: 'integer', name: 'string', aka: 'string', info_type: 'string' }],
  facs: [{ id: 'integer', name: 'string', city: 'string', country: 'string' }],
} satisfies Shape;

/** Host names of addresses. */
export const REVERSE_NAMES = { resolved: 'object', pending: ['string'] } satisfies Shape;

/** The online probe nodes. */
// prettier-ignore
export const NODES = [
  {
    id: 'integer', name: 'string', name_en: 'string', code: 'string', isp: 'string', region: 'string',
    country: 'string', country_code: 'string', province: 'string', city: 'string', ipv6: 'integer',
    agent_version: 'string', status: 'integer', last_seen: 'string',
  },
] as const satisfies Shape;

/** The vantage points of global DNS. */
export const REGIONS = [
  { code: 'integer', label: 'string', flag: 'string', subnet: 'string' },
] as const satisfies Shape;

/** The answer of a public resolver. */
// prettier-ignore
export const GLOBAL_ANSWER = {
  records: [
    {
      name: 'string',
      type: 'string',
      ttl: 'integer',
      value: 'string',
      'geo?': 'string',
      'isp?': 'string',
      'asn?': 'integer|null', 'org?': 'string',
    },
  ],
  'rcode?': 'string', 'time_ms?': 'integer', 'resolver?': 'string', 'edns_client_subnet?': 'string',
  'colo?': 'string', 'country?': 'string', 'location?': 'string', 'source?': 'string',
  'region?': 'integer|null|string', 'regionLabel?': 'string|null', 'subnet?': 'string|null',
  'error?': 'string',
} satisfies Shape;

/** The account of a key. */
// prettier-ignore
export const ACCOUNT = {
  id: 'integer', email: 'string', nickname: 'string', plan: 'string', rate_limit: 'integer',
  daily_limit: 'integer', batch_limit: 'integer',
} satisfies Shape;

/** The usage of an account. */
export const USAGE = {
  today: 'integer',
  month_total: 'integer',
  daily_limit: 'integer',
  daily: [{ date: 'date', count: 'integer' }],
} satisfies Shape;

// prettier-ignore
const COVERAGE = {
  networks: 'integer', ipv4_addresses: 'integer', ipv6_slash64s: 'number',
  'with_country?': 'object', 'with_region?': 'object', 'with_city?': 'object',
} satisfies Shape;

/** The metadata of a dataset. The optional keys are additions to the specification. */
// prettier-ignore
export const DATASET = {
  filename: 'string', format: 'string', size: 'integer', mtime: 'integer', mtime_iso: 'date',
  sha256: 'string', build_epoch: 'integer', build_iso: 'date', node_count: 'integer',
  ip_version: 'integer', languages: ['string'],
  'edition?': 'string', 'editions?': ['string'], 'md5?': 'string', 'attribution?': ['string'],
  'licence?': { terms: 'string', sources: [{ source: 'string', publisher: 'string', name: 'string', url: 'string' }] },
  'coverage?': COVERAGE, 'api?': { sources: ['string'], coverage: COVERAGE },
} satisfies Shape;
