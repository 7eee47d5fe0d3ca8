/** A call with its answer, for the OpenAPI document and `server/api.md`. Hosts have documentation addresses. */
export interface Example {
  /** Path and query. */
  readonly path: string;
  /** Whether the call sends a key. */
  readonly withKey?: true;
  /** Name of the downloaded file, `dataset.mmdb` by default. */
  readonly saveAs?: string;
  /** Sends account number and key with HTTP Basic. */
  readonly withLogin?: true;
  /** The header Accept, where the endpoint requires it. */
  readonly accept?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Absent for files. */
  readonly answer?: unknown;
}

const RECORD = {
  ip: '1.1.1.1',
  version: 4,
  country: 'Australia',
  country_code: 'AU',
  region: '',
  city: '',
  latitude: -35.12577,
  longitude: 147.35375,
  timezone: '',
  asn: 13335,
  org: 'Cloudflare, Inc.',
  isp: 'Cloudflare',
  as_domain: 'cloudflare.com',
  continent: 'Oceania',
  continent_code: 'OC',
  ip_type: '',
  rdns: '',
  location: 'Australia Cloudflare',
  is_reserved: false,
  bgp: {
    prefix: '1.1.1.0/24',
    as: 13335,
    as_name: 'CLOUDFLARENET',
    as_cc: 'US',
    allocation: '1.1.1.0/24',
    allocation_cc: 'AU',
    rpki_status: 'valid',
    peers: [{ asn: 3257, name: 'GTT-BACKBONE' }],
    ix: [{ id: 26, name: 'AMS-IX', city: 'Amsterdam', country: 'NL' }],
  },
  is_proxy: false,
  proxy_type: '',
  usage_type: 'CDN',
  proxy_domain: '',
  proxy_isp: '',
  provider: '',
  threat: '',
  fraud_score: '',
  last_seen: '',
  is_cloud_idc: true,
  cloud_provider: 'Cloudflare',
  is_anycast: true,
};

const { ip, country, country_code, region, city, latitude, longitude, timezone, asn, org, isp } = RECORD;
const FLAT = { ip, country, country_code, region, city, latitude, longitude, timezone, asn, org, isp };

/** By operation id. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  ownIp: { path: '/api/ip?lang=en', answer: ok(RECORD) },
  ownIpFlat: { path: '/json?lang=en', answer: FLAT },
  ownIpRoot: { path: '/?format=json&lang=en', answer: FLAT },
  ownIpText: { path: '/ip', answer: '1.1.1.1\n' },
  lookupIp: { path: '/api/ip/1.1.1.1?lang=en', answer: ok(RECORD) },
  lookupIpSources: {
    path: '/api/ip/1.1.1.1/sources?lang=en',
    answer: ok({
      ip: '1.1.1.1',
      sources: [
        { source: 'own', country: 'Australia', region: '', city: '', isp: '', lat: null, lng: null },
        {
          source: 'dbip',
          country: 'Australia',
          region: 'Queensland',
          city: 'South Brisbane',
          isp: '',
          lat: -27.4767,
          lng: 153.017,
        },
      ],
    }),
  },
  lookupIpBatch: {
    path: '/api/ip/batch?lang=en',
    body: { ips: ['1.1.1.1', '127.1'] },
    answer: ok([RECORD, { ip: '127.1', error: 'invalid IP or hostname' }]),
  },
  lookupWhois: {
    path: '/api/whois/example.com',
    answer: ok({
      target: 'example.com',
      raw: '{"objectClassName":"domain"}',
      registrar: 'RESERVED-Internet Assigned Numbers Authority',
      creation_date: '1995-08-14T04:00:00Z',
      expiry_date: '2027-08-13T04:00:00Z',
      updated_date: '2026-08-14T07:01:44Z',
      nameservers: ['a.iana-servers.net', 'b.iana-servers.net'],
      status: ['clientDeleteProhibited', 'clientTransferProhibited'],
      registrant: '',
      dnssec: 'signedDelegation',
      is_asn: false,
      available: false,
    }),
  },
  listDnsRecords: {
    path: '/api/dns/example.com',
    answer: ok({
      domain: 'example.com',
      records: [
        { type: 'A', name: 'example.com', ttl: 300, value: '192.0.2.10' },
        { type: 'MX', name: 'example.com', ttl: 300, value: 'mail.example.com', priority: 10 },
      ],
    }),
  },
  queryDns: {
    path: '/api/dns/example.com/MX',
    answer: ok({
      records: [{ type: 'MX', name: 'example.com', ttl: 300, value: 'mail.example.com', priority: 10 }],
      query: 'example.com',
      type: 'MX',
      server: '',
    }),
  },
  probeTcp: {
    path: '/api/tcping/example.com:443?count=2',
    withKey: true,
    answer: ok({
      target: 'example.com:443',
      host: 'example.com',
      ip: '192.0.2.10',
      port: 443,
      sent: 2,
      recv: 2,
      loss: 0,
      min: 1.43,
      max: 1.5,
      avg: 1.47,
      rtts: [1.43, 1.5],
      timeout_ms: 3000,
      source: { type: 'origin' },
    }),
  },
  getAsProfile: {
    path: '/api/as-profile/13335',
    answer: ok({
      asn: 13335,
      name: 'CLOUDFLARENET',
      entity: 'Cloudflare, Inc.',
      cc: 'US',
      registry: 'arin',
      status: 'allocated',
      in_use: true,
      private: false,
      ipv4_prefix_count: 1,
      ipv6_prefix_count: 1,
      ipv4_prefixes: ['1.1.1.0/24'],
      ipv6_prefixes: ['2606:4700::/32'],
    }),
  },
  getAsTopology: {
    path: '/api/as-topo/13335',
    answer: ok({
      asn: 13335,
      upstreams: [{ asn: 3257, power: 7, name: 'GTT-BACKBONE' }],
      downstreams: [],
      peers: [{ asn: 174, power: 3, name: 'COGENT-174' }],
    }),
  },
  getPrefixUpstreams: {
    path: '/api/prefix-upstreams?prefix=1.1.1.0/24',
    answer: ok({ prefix: '1.1.1.0/24', origin_as: 13335, upstreams: [{ asn: 3257, count: 7 }] }),
  },
  searchPeeringIndex: {
    path: '/api/peering-index/search?q=cloudflare',
    answer: ok({
      nets: [{ asn: 13335, name: 'Cloudflare', aka: '', info_type: 'Content' }],
      facs: [],
    }),
  },
  reverseDns: {
    path: '/api/rdns?ips=8.8.8.8,1.1.1.1',
    answer: { resolved: { '8.8.8.8': 'dns.google' }, pending: ['1.1.1.1'] },
  },
  listNodes: {
    path: '/api/nodes',
    answer: ok([
      {
        id: 1,
        name: '法兰克福',
        name_en: 'Frankfurt',
        code: 'fra-1',
        isp: 'example',
        region: 'Europe',
        country: 'Germany',
        country_code: 'DE',
        province: 'Hessen',
        city: 'Frankfurt am Main',
        ipv6: 1,
        agent_version: '0.1.0',
        status: 1,
        last_seen: '2026-11-21T03:00:00Z',
      },
    ]),
  },
  listDnsRegions: {
    path: '/dns_global/api/regions?lang=en',
    answer: [{ code: 27601, label: 'Germany', flag: 'DE', subnet: '192.0.2.0/24' }],
  },
  queryGlobalDns: {
    path: '/dns_global/api/query?domain=example.com&region=27601&lang=en',
    answer: {
      records: [
        {
          name: 'example.com',
          ttl: 300,
          value: '192.0.2.10',
          type: 'A',
          geo: 'Germany Hesse Frankfurt am Main',
          isp: 'Example',
          asn: 64500,
          org: 'Example GmbH',
        },
      ],
      rcode: 'NOERROR',
      time_ms: 31,
      resolver: 'Google',
      edns_client_subnet: '192.0.2.0/24',
      source: 'doh',
      region: 27601,
      regionLabel: 'Germany',
      subnet: '192.0.2.0/24',
    },
  },
  getAccount: {
    path: '/api/user/me',
    withKey: true,
    answer: ok({
      id: 1,
      email: 'me@example.com',
      nickname: 'me',
      plan: 'Pro',
      rate_limit: 600,
      daily_limit: 100000,
      batch_limit: 100,
    }),
  },
  getUsage: {
    path: '/api/user/usage',
    withKey: true,
    answer: ok({
      today: 12,
      month_total: 341,
      daily_limit: 100000,
      daily: Array.from({ length: 30 }, (_, day) => ({
        date: new Date(Date.UTC(2026, 9, 23 + day)).toISOString().slice(0, 10),
        count: day === 28 ? 329 : day === 29 ? 12 : 0,
      })),
    }),
  },
  getDatasetInfo: {
    path: '/api/datasets/asn/info',
    answer: ok({
      filename: 'ipatlas-asn-20261121.mmdb',
      format: 'mmdb',
      size: 10485760,
      mtime: 1795230000,
      mtime_iso: '2026-11-21T03:00:00Z',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      build_epoch: 1795230000,
      build_iso: '2026-11-21T03:00:00Z',
      node_count: 1048576,
      ip_version: 6,
      languages: ['en'],
      edition: 'ipatlas-ASN',
      editions: ['ipatlas-ASN', 'GeoLite2-ASN'],
      md5: '9e107d9d372bb6826bd81d3542a419d6',
      licence: {
        terms: 'free',
        sources: [
          {
            source: 'iana',
            publisher: 'IANA',
            name: 'CC0',
            url: 'https://www.iana.org/help/licensing-terms',
          },
        ],
      },
      attribution: ['Routing data of the RIPE NCC Routing Information Service (https://ris.ripe.net)'],
      coverage: { networks: 976392, ipv4_addresses: 1877695744, ipv6_slash64s: 2723628320882688 },
      api: {
        sources: ['geolite2-asn', 'ipinfo-asn', 'peeringdb'],
        coverage: { networks: 1003274, ipv4_addresses: 1891027456, ipv6_slash64s: 2723628320882688 },
      },
    }),
  },
  listDatasetChanges: {
    path: '/api/datasets/asn/changes?since=2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    withKey: true,
    answer: ok({
      session: '0b5f0f4f4f1e4f0aa7a1c2d3e4f50617',
      serial: 12,
      snapshot: {
        uri: '/api/datasets/asn',
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        size: 10485760,
      },
      deltas: [
        {
          serial: 12,
          uri: '/api/datasets/asn/changes/fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
          sha256: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
          size: 20584,
          from_sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
          to_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          changes: 2810,
        },
      ],
    }),
  },
  downloadDatasetDelta: {
    path: '/api/datasets/asn/changes/fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
    withKey: true,
  },
  downloadDataset: { path: '/api/datasets/asn', withKey: true },
  downloadUpdateArchive: {
    path: '/geoip/databases/GeoLite2-ASN/download?suffix=tar.gz',
    withLogin: true,
    saveAs: 'GeoLite2-ASN.tar.gz',
  },
  downloadUpdate: {
    path: '/geoip/databases/GeoLite2-ASN/update',
    withLogin: true,
    saveAs: 'GeoLite2-ASN.mmdb.gz',
  },
  getUpdateMetadata: {
    path: '/geoip/updates/metadata?edition_id=GeoLite2-ASN',
    withLogin: true,
    answer: {
      databases: [
        { edition_id: 'GeoLite2-ASN', md5: '9e107d9d372bb6826bd81d3542a419d6', date: '2026-11-21' },
      ],
    },
  },
  mcp: {
    path: '/mcp',
    accept: 'application/json, text/event-stream',
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'lookup', arguments: { targets: ['1.1.1.1'], fields: ['country_code', 'isp'] } },
    },
    answer: {
      jsonrpc: '2.0',
      id: 1,
      result: {
        structuredContent: {
          results: [{ target: '1.1.1.1', record: { country_code: 'AU', isp: 'Cloudflare' } }],
        },
      },
    },
  },
};

function ok(data: unknown): { readonly code: 0; readonly data: unknown } {
  return { code: 0, data };
}
