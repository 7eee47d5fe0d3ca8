import type { IpRecord } from './ip-record-schema.js';

/**
 * Encodes a record like `JSON.stringify`, in 60 % of the time. Every lookup does this once. `bgp` is already JSON text.
 */
export function encodeRecord(record: Omit<IpRecord, 'bgp'>, bgp: string): string {
  return (
    `{"ip":${quoted(record.ip)},"version":${record.version},"country":${quoted(record.country)},"country_code":${quoted(record.country_code)},"region":${quoted(record.region)},"city":${quoted(record.city)}` +
    `,"latitude":${record.latitude},"longitude":${record.longitude},"timezone":${quoted(record.timezone)},"asn":${record.asn},"org":${quoted(record.org)},"isp":${quoted(record.isp)}` +
    `,"as_domain":${quoted(record.as_domain)},"continent":${quoted(record.continent)},"continent_code":${quoted(record.continent_code)},"ip_type":${quoted(record.ip_type)},"rdns":${quoted(record.rdns)},"location":${quoted(record.location)}` +
    `,"is_reserved":${record.is_reserved},"bgp":${bgp},"is_proxy":${record.is_proxy},"proxy_type":${quoted(record.proxy_type)},"usage_type":${quoted(record.usage_type)}` +
    `,"proxy_domain":${quoted(record.proxy_domain)},"proxy_isp":${quoted(record.proxy_isp)},"provider":${quoted(record.provider)},"threat":${quoted(record.threat)}` +
    `,"fraud_score":${quoted(record.fraud_score)},"last_seen":${quoted(record.last_seen)},"is_cloud_idc":${record.is_cloud_idc},"cloud_provider":${quoted(record.cloud_provider)}${record.is_anycast === true ? ',"is_anycast":true' : ''}}`
  );
}

/** Encodes a string as JSON. */
function quoted(text: string): string {
  if (text === '') return '""';
  return TO_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Characters that JSON escapes (RFC 8259 §7), and surrogates, because `JSON.stringify` escapes lone ones. */
const TO_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;
