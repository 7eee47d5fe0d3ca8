import type { AsnRecord } from '../../pipeline/routing/asn-records.js';
import type { IspRecord } from '../../pipeline/isp/isp-record.js';
import type { Rows } from './small-rows.js';

const GOOGLE_SERVICE: IspRecord = {
  isp: 'Google LLC',
  isp_names: { en: 'Google LLC', 'zh-CN': '谷歌' },
  organization: 'Google LLC',
  autonomous_system_number: 15169,
  autonomous_system_organization: 'Google LLC',
  usage_type: 'DCH',
  is_hosting_provider: true,
  is_cloud_idc: true,
  cloud: { provider: 'Google' },
};

/** Records of `isp.mmdb`. */
export const ISP_ROWS: Rows<IspRecord> = [
  ['8.8.8.0/24', GOOGLE_SERVICE],
  ['2001:4860::/32', GOOGLE_SERVICE],
  [
    '1.1.1.0/24',
    {
      isp: 'Cloudflare, Inc.',
      usage_type: 'CDN',
      is_cloud_idc: true,
      cloud: { provider: 'Cloudflare' },
    },
  ],
  [
    '202.96.192.0/18',
    {
      isp: 'China Telecom',
      isp_names: { en: 'China Telecom', 'zh-CN': '中国电信' },
      organization: 'CHINANET-SH',
      autonomous_system_number: 4134,
      usage_type: 'ISP',
    },
  ],
  [
    '185.159.157.0/24',
    {
      isp: 'Proton AG',
      organization: 'Proton AG',
      usage_type: 'DCH',
      is_hosting_provider: true,
    },
  ],
  [
    '185.159.157.13/32',
    {
      isp: 'Proton AG',
      organization: 'Proton AG',
      usage_type: 'DCH',
      is_anonymous: true,
      is_anonymous_vpn: true,
      is_hosting_provider: true,
      is_cloud_idc: true,
      proxy: {
        type: 'VPN',
        domain: 'protonvpn.com',
        isp: 'Proton AG',
        provider: 'Proton VPN',
        threat: 'SPAM/SCANNER',
        fraud_score: 74,
        last_seen: '2026-11-20',
      },
    },
  ],
  [
    '185.220.101.1/32',
    {
      isp: 'Zwiebelfreunde e.V.',
      usage_type: 'ORG',
      is_anonymous: true,
      is_tor_exit_node: true,
      proxy: { type: 'TOR', provider: 'Tor', fraud_score: 0, last_seen: '2026-11-21' },
    },
  ],
  [
    '3.5.140.0/22',
    {
      isp: 'Amazon.com, Inc.',
      usage_type: 'DCH',
      is_hosting_provider: true,
      is_cloud_idc: true,
      proxy: { type: 'DCH', domain: 'amazon.com', isp: 'Amazon.com, Inc.' },
      cloud: { provider: 'Amazon AWS', service: 'S3', region: 'ap-northeast-2' },
    },
  ],
  [
    '1.64.0.0/16',
    {
      isp: 'HKT Limited',
      isp_names: { en: 'HKT Limited', 'zh-CN': '香港电讯' },
      usage_type: 'ISP',
    },
  ],
  ['223.255.252.0/23', { isp: '福建广电', isp_names: { 'zh-CN': '福建广电' }, usage_type: 'ISP/MOB' }],
];

const GOOGLE_AS: AsnRecord = {
  autonomous_system_number: 15169,
  autonomous_system_organization: 'Google LLC',
  as_name: 'GOOGLE',
  as_domain: 'google.com',
  as_country: 'US',
};
const CLOUDFLARE_AS: AsnRecord = {
  autonomous_system_number: 13335,
  autonomous_system_organization: 'Cloudflare, Inc.',
  as_name: 'CLOUDFLARENET',
  as_domain: 'cloudflare.com',
  as_country: 'US',
};

/** Records of `asn.mmdb`. */
export const ANNOUNCERS: Rows<AsnRecord> = [
  ['8.8.8.0/24', GOOGLE_AS],
  ['2001:4860::/32', GOOGLE_AS],
  ['1.1.1.0/24', CLOUDFLARE_AS],
  ['185.1.2.0/24', CLOUDFLARE_AS],
  [
    '202.96.192.0/18',
    {
      autonomous_system_number: 4134,
      autonomous_system_organization: 'CHINANET-BACKBONE',
      as_name: 'CHINANET-BACKBONE',
      as_country: 'CN',
    },
  ],
  ['185.159.157.0/24', { autonomous_system_number: 211398, as_name: 'PROTON', as_country: 'CH' }],
  [
    '3.5.140.0/22',
    {
      autonomous_system_number: 16509,
      as_name: 'AMAZON-02',
      as_domain: 'amazon.com',
      as_country: 'US',
    },
  ],
];
