import { map } from '../mmdb/schema.js';
import type { Cloud } from './cloud.js';

/**
 * A record of `isp.mmdb`: the keys of GeoIP2 ISP and GeoIP2 Anonymous IP as their clients read them, and our own
 * keys. Booleans are present only when they are true.
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

/** Type of the file. GeoIP2 clients search it for the name of their model, so it contains both. */
export const ISP_DATABASE_TYPE = 'ipatlas-ISP (compat=GeoIP2-ISP, GeoIP2-Anonymous-IP)';

/** Increased with every change to the contents of records; part of the key of a cached dataset. */
export const ISP_SCHEMA_VERSION = 1;

/** Languages of the names in the records. */
export const ISP_LANGUAGES = ['en', 'zh-CN'] as const;

/** A record of `isp.mmdb` as written. Absent fields are unknown or false. */
export interface IspRecord extends AnonymousIp {
  /** The English name, or the Chinese name when no English one is known. */
  readonly isp?: string;
  readonly organization?: string;
  readonly autonomous_system_number?: number;
  /** The registered entity, or the short name of the network when none is known. */
  readonly autonomous_system_organization?: string;
  readonly isp_names?: { readonly en?: string; readonly 'zh-CN'?: string };
  /** COM, ORG, … DCH, or several joined with `/`. */
  readonly usage_type?: string;
  readonly is_cloud_idc?: true;
  readonly proxy?: ProxyRecord;
  readonly cloud?: Cloud;
}

/** The lists' data about a proxy, a data centre or a crawler. */
export interface ProxyRecord {
  /** The winning type, including DCH, SES and AIC, which are not proxies. */
  readonly type?: string;
  /** As a list names it for the network, else the domain of the AS. */
  readonly domain?: string;
  /** As a list names it for the network, else the name of the AS. */
  readonly isp?: string;
  /** The brand. */
  readonly provider?: string;
  /** Labels joined with `/`: SPAM, SCANNER, BOTNET, then others by name. */
  readonly threat?: string;
  /** 0..99. */
  readonly fraud_score?: number;
  /** ISO date, UTC. */
  readonly last_seen?: string;
}

/** The flags of GeoIP2 Anonymous IP. */
export interface AnonymousIp {
  /** Whether the address is a proxy of any type. Hosting alone is not a proxy. */
  readonly is_anonymous?: true;
  readonly is_anonymous_vpn?: true;
  readonly is_hosting_provider?: true;
  readonly is_public_proxy?: true;
  readonly is_residential_proxy?: true;
  readonly is_tor_exit_node?: true;
}

/** Returns the flags of an address. `proxyType` is absent for types that are not proxies. */
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
