/** Codes of errors that come with HTTP 200 (decision 12). */
export const BUSINESS_CODES: readonly number[] = [400, 401, 403, 404];

/** The body of an error. */
export interface FailureExample {
  readonly code: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Bodies of failures by HTTP status. */
export const STATUS_EXAMPLES: Readonly<Record<string, FailureExample>> = {
  402: { code: 402, msg: 'not enough credits', credits_required: 1 },
  405: { code: 405, msg: 'method DELETE not allowed; see the Allow header' },
  408: { code: 408, msg: 'the body arrived too slowly: less than 1024 bytes in 5 s' },
  413: { code: 413, msg: 'the body exceeds 262144 bytes' },
  429: {
    ...{ code: 429, msg: 'limit of 30 requests per minute exceeded, retry in 12 s' },
    ...{ limit: 30, reset_at: 1795230060, reset_iso: '2026-11-21T03:01:00.000Z' },
  },
  500: { code: 500, msg: 'internal error' },
  502: { code: 502, msg: 'the name servers did not answer' },
  503: { code: 503, msg: 'no release is loaded, try again later' },
  504: { code: 504, msg: 'the probe node did not answer in time' },
};

/** A business error: its message, and a call that has it on any server, if there is one. */
export interface BusinessExample {
  readonly msg: string;
  readonly path?: string;
  /** Further fields of the body. */
  readonly fields?: object;
}

/** Business errors by code, for operations that do not have their own. */
const BY_CODE: Readonly<Record<number, BusinessExample>> = {
  401: { msg: 'API key required' },
  403: { msg: 'downloads require the enterprise plan' },
  404: { msg: 'target could not be resolved' },
};

const UNKNOWN_FIELD =
  'unknown name "colour" in `fields`: expected names that /openapi.json lists for the parameter, comma-separated';
const DATASET = 'invalid dataset: expected mmdb, asn or isp';
const NOT_BUILT = 'dataset asn has not been built';
const AS_NUMBER = 'invalid AS number: expected digits only, such as 13335';
const NO_FILE = '0'.repeat(64);

/** Business errors by operation and code. */
export const BUSINESS_EXAMPLES: Readonly<Record<string, Readonly<Record<number, BusinessExample>>>> = {
  ownIp: { 400: { msg: UNKNOWN_FIELD, path: '/api/ip?fields=colour' } },
  ownIpFlat: { 400: { msg: UNKNOWN_FIELD, path: '/json?fields=colour' } },
  ownIpRoot: { 400: { msg: UNKNOWN_FIELD, path: '/?format=json&fields=colour' } },
  lookupIp: { 400: { msg: 'invalid IP or hostname', path: '/api/ip/127.1' } },
  lookupIpSources: { 400: { msg: 'invalid IP or hostname', path: '/api/ip/127.1/sources' } },
  lookupIpBatch: { 400: { msg: '`ips` must be a list of at least one address or hostname' } },
  lookupWhois: {
    400: { msg: 'invalid domain, IP, CIDR prefix or AS number', path: '/api/whois/no%20name' },
    404: { msg: 'reserved: cannot be registered', path: '/api/whois/10.0.0.1' },
  },
  listDnsRecords: {
    400: { msg: 'not a domain name of the public DNS', path: '/api/dns/localhost' },
    404: { msg: 'the domain does not exist' },
  },
  queryDns: {
    400: {
      msg: 'type must be one of A, AAAA, CNAME, MX, NS, TXT, SOA, SRV, PTR',
      path: '/api/dns/example.com/WKS',
    },
  },
  probeTcp: {
    400: { msg: 'invalid IP or hostname, or a port outside 1-65535', path: '/api/tcping/example.com:0' },
    401: { msg: 'API key required', path: '/api/tcping/example.com:443' },
    403: { msg: 'port 25 cannot be probed on this server' },
    404: { msg: 'no matching probe node is online', fields: { available_countries: ['DE', 'SG'] } },
  },
  getAsProfile: {
    400: { msg: AS_NUMBER, path: '/api/as-profile/AS1' },
    404: { msg: 'AS65551 is neither allocated nor announced', path: '/api/as-profile/65551' },
  },
  getAsTopology: {
    400: { msg: AS_NUMBER, path: '/api/as-topo/AS1' },
    404: { msg: 'no topology data for AS65551', path: '/api/as-topo/65551' },
  },
  getPrefixUpstreams: {
    400: { msg: 'prefix is missing, as in ?prefix=8.8.8.0/24', path: '/api/prefix-upstreams' },
    404: { msg: 'the prefix is not announced', path: '/api/prefix-upstreams?prefix=198.51.100.0/24' },
  },
  searchPeeringIndex: {
    400: { msg: 'q has fewer than 2 characters', path: '/api/peering-index/search?q=a' },
  },
  getAccount: { 401: { msg: 'API key required', path: '/api/user/me' } },
  getUsage: { 401: { msg: 'API key required', path: '/api/user/usage' } },
  getDatasetInfo: {
    400: { msg: DATASET, path: '/api/datasets/cities/info' },
    404: { msg: NOT_BUILT },
  },
  downloadDataset: {
    400: { msg: DATASET, path: '/api/datasets/cities' },
    401: { msg: 'API key required', path: '/api/datasets/asn' },
    403: { msg: 'downloads require the enterprise plan', path: '/api/datasets/asn' },
    404: { msg: NOT_BUILT },
  },
  listDatasetChanges: {
    400: {
      msg: 'invalid since: expected the SHA-256 of a file in lower-case hex',
      path: '/api/datasets/asn/changes?since=1',
    },
    404: {
      msg: `no changes since ${NO_FILE}: download the whole file`,
      fields: {
        snapshot: {
          uri: '/api/datasets/asn',
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          size: 10485760,
        },
      },
    },
  },
  downloadDatasetDelta: {
    400: {
      msg: 'invalid delta: expected a SHA-256 in lower-case hex',
      path: '/api/datasets/asn/changes/latest',
    },
    404: {
      msg: `no delta ${NO_FILE}: ask for the changes again`,
      path: `/api/datasets/asn/changes/${NO_FILE}`,
    },
  },
};

/** Returns an example of a business error. Throws if there is none for the code. */
export function failureExample(operationId: string, code: number): FailureExample {
  const example = BUSINESS_EXAMPLES[operationId]?.[code] ?? BY_CODE[code];
  if (example === undefined) throw new Error(`no example of code ${code} for ${operationId}`);
  return { code, msg: example.msg, ...example.fields };
}
