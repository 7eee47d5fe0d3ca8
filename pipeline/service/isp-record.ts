import { map } from '../mmdb/schema.js';

/**
 * A record of `isp.mmdb`: the keys of GeoIP2 ISP and GeoIP2 Anonymous IP as their clients read them, the others are
 * ours. Booleans stand there only when they are true.
 */
export const ISP_SCHEMA = map({
  isp: 'string',
  organization: 'string',
  autonomous_system_number: 'uint32',
  autonomous_system_organization: 'string',
  isp_names: map({ en: 'string', 'zh-CN': 'string' }),
  usage_type: 'string',
  is_anonymous: 'boolean',
  is_anonymous_vpn: 'boolean',
  is_hosting_provider: 'boolean',
  is_public_proxy: 'boolean',
  is_residential_proxy: 'boolean',
  is_tor_exit_node: 'boolean',
  is_cloud_idc: 'boolean',
  proxy: map({
    type: 'string',
    domain: 'string',
    isp: 'string',
    provider: 'string',
    threat: 'string',
    fraud_score: 'uint16',
    last_seen: 'string',
  }),
  cloud: map({ provider: 'string', service: 'string', region: 'string' }),
});

/** Clients of GeoIP2 look for the name of their model in it; both are there. */
export const ISP_DATABASE_TYPE = 'ipatlas-ISP (compat=GeoIP2-ISP, GeoIP2-Anonymous-IP)';

/** Raised with every change to what records hold: part of the key under which a dataset is found again. */
export const ISP_SCHEMA_VERSION = 1;

/** Languages of the names in the records. */
export const ISP_LANGUAGES = ['en', 'zh-CN'] as const;

/** A record as it is written. Absent is unknown, or false. */
export interface IspRecord extends AnonymousIp {
  /** The English name; the Chinese one where no other is known. */
  readonly isp?: string;
  readonly organization?: string;
  readonly autonomous_system_number?: number;
  /** The registered entity; the network's name where none is known. */
  readonly autonomous_system_organization?: string;
  readonly isp_names?: { readonly en?: string; readonly 'zh-CN'?: string };
  /** COM, ORG, … DCH, or several joined with `/`. */
  readonly usage_type?: string;
  readonly is_cloud_idc?: true;
  readonly proxy?: ProxyRecord;
  readonly cloud?: { readonly provider: string; readonly service?: string; readonly region?: string };
}

export interface ProxyRecord {
  /** The type that won, also DCH, SES and AIC, which make no proxy. */
  readonly type?: string;
  /** Of whom a list names for the address, else of the AS. */
  readonly domain?: string;
  readonly isp?: string;
  /** The brand. */
  readonly provider?: string;
  /** Labels joined with `/`: SPAM, SCANNER, BOTNET, others by name. */
  readonly threat?: string;
  /** 0..99. */
  readonly fraud_score?: number;
  /** ISO date, UTC. */
  readonly last_seen?: string;
}

/** The flags of GeoIP2 Anonymous IP. */
export interface AnonymousIp {
  /** Whether it is a proxy of any type; hosting alone is none. */
  readonly is_anonymous?: true;
  readonly is_anonymous_vpn?: true;
  readonly is_hosting_provider?: true;
  readonly is_public_proxy?: true;
  readonly is_residential_proxy?: true;
  readonly is_tor_exit_node?: true;
}

/** The flags of an address: by its type where that makes a proxy, and as a data centre. */
export function anonymousIp(proxyType: string | undefined, isHosting: boolean): AnonymousIp {
  return {
    ...(proxyType !== undefined && { is_anonymous: true }),
    ...(proxyType === 'VPN' && { is_anonymous_vpn: true }),
    ...(isHosting && { is_hosting_provider: true }),
    ...((proxyType === 'PUB' || proxyType === 'WEB') && { is_public_proxy: true }),
    ...(proxyType === 'RES' && { is_residential_proxy: true }),
    ...(proxyType === 'TOR' && { is_tor_exit_node: true }),
  };
}
