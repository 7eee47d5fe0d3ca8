import type { ServiceRecord } from '../release/records.js';
import type { IpRecord } from './ip-record-schema.js';
import { nameIn, type Language } from './language.js';
import { usageLabel } from './usage-labels.js';

/** Who operates an address and what for, as the record tells it. */
export type ServicePart = Pick<
  IpRecord,
  | 'isp'
  | 'ip_type'
  | 'is_proxy'
  | 'proxy_type'
  | 'usage_type'
  | 'proxy_domain'
  | 'proxy_isp'
  | 'provider'
  | 'threat'
  | 'fraud_score'
  | 'last_seen'
  | 'is_cloud_idc'
  | 'cloud_provider'
>;

export const UNKNOWN_SERVICE: ServicePart = Object.freeze({
  ...{
    isp: '',
    ip_type: '',
    is_proxy: false,
    proxy_type: '',
    usage_type: '',
    proxy_domain: '',
    proxy_isp: '',
  },
  ...{ provider: '', threat: '', fraud_score: '', last_seen: '', is_cloud_idc: false, cloud_provider: '' },
});

/** What `isp.mmdb` says, in a language. */
export function servicePart(record: ServiceRecord, language: Language): ServicePart {
  const { proxy, usage_type: usage, is_anonymous: isProxy = false } = record;
  const score = proxy?.fraud_score;
  return {
    isp: nameIn(language, record.isp_names) ?? record.isp ?? '',
    ip_type: isProxy && usage !== undefined ? usageLabel(usage, language) : '',
    is_proxy: isProxy,
    proxy_type: proxy?.type ?? '',
    usage_type: usage ?? '',
    proxy_domain: proxy?.domain ?? '',
    proxy_isp: proxy?.isp ?? '',
    provider: proxy?.provider ?? '',
    threat: proxy?.threat ?? '',
    fraud_score: score === undefined ? '' : String(score),
    last_seen: proxy?.last_seen ?? '',
    is_cloud_idc: record.is_cloud_idc ?? false,
    cloud_provider: record.cloud?.provider ?? '',
  };
}
