import { nameIn, type Language } from './language.js';
import type { IspRecord } from './records.js';

/** The operator, proxy and cloud fields of an IP record. Unknown texts are empty. */
export interface IspPart {
  readonly isp: string;
  readonly ip_type: string;
  readonly is_proxy: boolean;
  readonly proxy_type: string;
  readonly usage_type: string;
  readonly proxy_domain: string;
  readonly proxy_isp: string;
  readonly provider: string;
  readonly threat: string;
  readonly fraud_score: string;
  readonly last_seen: string;
  readonly is_cloud_idc: boolean;
  readonly cloud_provider: string;
}

/** The fields of an address without a record. */
export const UNKNOWN_ISP: IspPart = Object.freeze({
  isp: '',
  ip_type: '',
  is_proxy: false,
  proxy_type: '',
  usage_type: '',
  proxy_domain: '',
  proxy_isp: '',
  provider: '',
  threat: '',
  fraud_score: '',
  last_seen: '',
  is_cloud_idc: false,
  cloud_provider: '',
});

/** Returns these fields of a record of `isp.mmdb`, in a language; without a record those of an unknown operator. */
export function ispPart(record: IspRecord | undefined, language: Language): IspPart {
  if (record === undefined) return UNKNOWN_ISP;
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

/** Labels of usage codes. A code without a label is shown unchanged. */
const USAGE_LABELS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  COM: { en: 'Commercial', zh: '商业' },
  ORG: { en: 'Organization', zh: '组织机构' },
  GOV: { en: 'Government', zh: '政府' },
  MIL: { en: 'Military', zh: '军事' },
  EDU: { en: 'Education', zh: '教育' },
  LIB: { en: 'Library', zh: '图书馆' },
  CDN: { en: 'Content delivery network', zh: '内容分发网络' },
  ISP: { en: 'Fixed-line ISP', zh: '固定宽带' },
  MOB: { en: 'Mobile network', zh: '移动网络' },
  DCH: { en: 'Data center', zh: '数据中心' },
  SES: { en: 'Search engine spider', zh: '搜索引擎爬虫' },
  RSV: { en: 'Reserved', zh: '保留地址' },
};

/** Returns the label of a usage type. Several codes (`ISP/MOB`) give several labels, joined the same way. */
export function usageLabel(usageType: string, language: Language): string {
  return usageType
    .split('/')
    .map((code) => USAGE_LABELS[code]?.[language] ?? code)
    .join('/');
}
