import { DROPPED_CLAIMS, GEO_COUNTERS } from '../geo-counters.js';
import { CLOUD_PROVIDERS, ISP_COUNTERS, PROXY_TYPES } from '../isp-counters.js';
import {
  ANNOUNCED_ADDRESSES,
  COUNTERS,
  DROPPED_PATHS,
  DROPPED_ROUTES,
  INFERRED_LINKS,
} from '../routing-counters.js';

/** Counters of single things, by name: a table with a row for each. */
export interface CounterRows {
  readonly caption: string;
  /** The names for people, by counter, in the order of the rows. */
  readonly names: Readonly<Record<string, string>>;
}

/** Counters `<prefix><row>.<column>`: a table of their rows and columns. */
export interface CounterGrid {
  readonly caption: string;
  readonly prefix: string;
  /** The heading of the rows. */
  readonly row: string;
  /** Names of rows that are codes. */
  readonly rows?: Readonly<Record<string, string>>;
  /** Names of columns, in their order; others come after them. Without columns, the names end with the row. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** The tables of single counters. */
export const COUNTER_ROWS: readonly CounterRows[] = [
  {
    caption: 'Space that registries list as available or reserved',
    names: {
      [GEO_COUNTERS.freeIpv4]: 'IPv4 addresses without a country',
      [GEO_COUNTERS.freeIpv6]: 'IPv6 /64s without a country',
      [GEO_COUNTERS.usedIpv4]: 'IPv4 addresses in use',
      [GEO_COUNTERS.usedIpv6]: 'IPv6 /64s in use',
    },
  },
  {
    caption: 'Routing table',
    names: {
      [COUNTERS.collectors]: 'route collectors',
      [COUNTERS.peers]: 'peers of the collectors',
      [COUNTERS.vantagePoints]: 'ASes of the peers',
      [COUNTERS.entries]: 'entries',
      [COUNTERS.paths]: 'AS paths',
      [COUNTERS.ribPrefixes]: 'prefixes read',
      'routes.prefixes': 'prefixes kept',
      [COUNTERS.ipv4Prefixes]: 'IPv4 prefixes kept',
      [COUNTERS.ipv6Prefixes]: 'IPv6 prefixes kept',
      [COUNTERS.originAses]: 'ASes that announce prefixes',
      [COUNTERS.moas]: 'prefixes with several origins',
      [COUNTERS.withoutOrigin]: 'prefixes without a known origin',
      [COUNTERS.vrps]: 'validated ROA payloads (VRPs)',
      [COUNTERS.rpkiValid]: 'RPKI valid',
      [COUNTERS.rpkiInvalid]: 'RPKI invalid',
      [COUNTERS.rpkiUnknown]: 'RPKI unknown',
    },
  },
  {
    caption: 'Links between ASes',
    names: {
      [COUNTERS.providerLinks]: 'provider to customer',
      [COUNTERS.peerLinks]: 'peer to peer',
      [COUNTERS.uncertainLinks]: 'uncertain',
      'clique.ipv4': 'ASes without providers, IPv4',
      'clique.ipv6': 'ASes without providers, IPv6',
      'fullFeeds.ipv4': 'peers with a full IPv4 table',
      'fullFeeds.ipv6': 'peers with a full IPv6 table',
      'paths.paths': 'distinct AS paths',
      'paths.prepended': 'paths with prepended ASes',
      'paths.routeServers': 'paths through a route server',
    },
  },
  {
    caption: 'Proxies and clouds',
    names: {
      [ISP_COUNTERS.proxyNetworks]: 'networks of proxies',
      [ISP_COUNTERS.proxyIpv4]: 'IPv4 addresses of proxies',
      [ISP_COUNTERS.proxyIpv6]: 'IPv6 /64s of proxies',
      [ISP_COUNTERS.cloudNetworks]: 'networks of clouds',
      [ISP_COUNTERS.cloudIpv4]: 'IPv4 addresses of clouds',
      [ISP_COUNTERS.cloudIpv6]: 'IPv6 /64s of clouds',
      'isp.networks': 'networks in isp.mmdb',
      'isp.decisions': 'distinct decisions',
      'evidence.networks': 'networks in evidence.mmdb',
    },
  },
];

const SPACE = { networks: 'Networks', ipv4Addresses: 'IPv4 addresses', ipv6Slash64s: 'IPv6 /64s' };

/** The tables of counters with rows and columns. A counter belongs to the first prefix that its name has. */
export const COUNTER_GRIDS: readonly CounterGrid[] = [
  { caption: 'Networks with dropped claims in that space', prefix: DROPPED_CLAIMS, row: 'Feed' },
  {
    caption: 'Prefixes dropped',
    prefix: DROPPED_ROUTES,
    row: 'Reason',
    rows: {
      visibility: 'seen by too few peers',
      defaultRoute: 'default route',
      tooLong: 'too long',
      reserved: 'reserved space',
      reservedOrigin: 'origin is a reserved AS number',
    },
  },
  {
    caption: 'AS paths not used for links',
    prefix: DROPPED_PATHS,
    row: 'Reason',
    rows: {
      sets: 'has an AS set',
      confederations: 'has a confederation',
      loops: 'has a loop',
      reserved: 'has a reserved AS number',
      short: 'fewer than two ASes',
      poisoned: 'poisoned',
    },
  },
  {
    caption: 'Links by inference method',
    prefix: INFERRED_LINKS,
    row: 'Family',
    rows: { ipv4: 'IPv4', ipv6: 'IPv6' },
    columns: { 'as-rank': 'AS-Rank', gao: 'Gao' },
  },
  {
    caption: 'Source of the announcing AS',
    prefix: ANNOUNCED_ADDRESSES,
    row: 'Source',
    columns: SPACE,
  },
  {
    caption: 'Types of addresses',
    prefix: PROXY_TYPES,
    row: 'Type',
    rows: {
      VPN: 'VPN server (VPN)',
      TOR: 'Tor exit (TOR)',
      PUB: 'open proxy (PUB)',
      WEB: 'web proxy (WEB)',
      RES: 'residential proxy (RES)',
      CPN: 'consumer relay (CPN)',
      EPN: 'enterprise gateway (EPN)',
      DCH: 'data centre (DCH)',
      SES: 'search engine (SES)',
      AIC: 'crawler of a language model (AIC)',
    },
    columns: SPACE,
  },
  { caption: 'Cloud providers', prefix: CLOUD_PROVIDERS, row: 'Cloud', columns: SPACE },
  {
    caption: 'Lists',
    prefix: 'lists.',
    row: 'List',
    columns: {
      networks: 'Networks listed',
      hits: 'Networks found',
      decided: 'Type decided',
      expired: 'Expired',
      'dropped.allowed': 'Dropped: allowed',
      'dropped.edge': 'Dropped: edge of a CDN',
      'dropped.access': 'Dropped: access network',
      'dropped.expired': 'Dropped: expired',
    },
  },
];
