import { alignColumns } from '../release/columns.js';
import type { EvidenceShown, IspShown } from './inspect-records.js';
import type { AddressIsp } from './inspect-isp.js';

/** Returns the ISP data of an address as text: the record, then a line for each list that contains it. */
export function describeIsp(inspected: AddressIsp | undefined): string[] {
  if (!inspected) return ['no ISP dataset in this release'];
  const { isp, evidence, refused } = inspected;
  const rows = isp ? [['isp.mmdb', isp.prefix], ...recordRows(isp.record)] : [['isp.mmdb', 'no record']];
  const lists = Object.entries(evidence?.record ?? {}).map(([list, listed]) =>
    listRow(list, listed, isp?.record),
  );
  return [
    ...alignColumns(rows, 2),
    '',
    ...(lists.length === 0 ? ['not on any list'] : alignColumns([HEAD, ...lists], HEAD.length)),
    ...refused.map(
      ({ file, refusal, found, usedInstead }) =>
        `refused for this release: ${file}: ${refusal}: ${found}. Used instead: ${usedInstead}`,
    ),
  ];
}

const HEAD = ['list', 'type', 'provider', 'cloud', 'last seen', 'agrees on', 'details'];

function recordRows(record: IspShown): string[][] {
  const { isp, organization, usage_type: usage, cloud } = record;
  const rows: [string, string | undefined][] = [
    ['isp', joined([isp, isp === organization ? undefined : organization])],
    ['network', nameNetwork(record)],
    ['usage', joined([usage, record.is_cloud_idc === true ? 'in a data centre' : undefined])],
    ['proxy', describeProxy(record)],
    ['cloud', joined([cloud?.provider, cloud?.service, cloud?.region])],
  ];
  return rows.flatMap(([label, text]) => (text === undefined ? [] : [[label, text]]));
}

function nameNetwork(record: IspShown): string | undefined {
  const { autonomous_system_number: asn, autonomous_system_organization: organisation } = record;
  return joined([asn === undefined ? undefined : `AS${asn}`, organisation]);
}

/** The proxy line. It also says `no`: a type alone does not make an address a proxy. */
function describeProxy({ proxy, is_anonymous: isProxy }: IspShown): string | undefined {
  const parts = [
    isProxy === true ? 'yes' : 'no',
    proxy?.type,
    proxy?.provider,
    proxy?.threat,
    proxy?.fraud_score === undefined ? undefined : `fraud score ${proxy.fraud_score}`,
    proxy?.last_seen === undefined ? undefined : `last seen ${proxy.last_seen}`,
  ];
  return joined(parts);
}

function listRow(list: string, listed: EvidenceShown, record: IspShown | undefined): string[] {
  const { type, provider, cloud, service, region, last_seen: lastSeen } = listed;
  return [
    list,
    type ?? '-',
    provider ?? '-',
    joined([cloud, service, region]) ?? '-',
    lastSeen ?? '-',
    listed.is_expired === true ? 'expired' : (agreement(listed, record) ?? '-'),
    details(listed) ?? '-',
  ];
}

/** The fields in which the record has the list's value. */
function agreement(listed: EvidenceShown, record: IspShown | undefined): string | undefined {
  const { proxy, cloud, usage_type: usage } = record ?? {};
  const pairs = {
    type: [listed.taken_for ?? listed.type, proxy?.type],
    provider: [listed.provider, proxy?.provider],
    usage: [listed.usage_type, usage],
    cloud: [listed.cloud, cloud?.provider],
    isp: [listed.isp, proxy?.isp],
  };
  return joined(
    Object.entries(pairs).map(([name, [ofList, ofRecord]]) =>
      ofList !== undefined && ofList === ofRecord ? name : undefined,
    ),
  );
}

/** The other fields of a listing. */
function details(listed: EvidenceShown): string | undefined {
  return joined([
    listed.taken_for === undefined ? undefined : `treated as ${listed.taken_for}`,
    listed.dropped === undefined ? undefined : `dropped: ${listed.dropped}`,
    listed.evidence,
    listed.usage_type === undefined ? undefined : `usage ${listed.usage_type}`,
    listed.threat,
    listed.fraud_score === undefined ? undefined : `fraud score ${listed.fraud_score}`,
    listed.isp,
    listed.domain,
    listed.carrier,
    listed.is_edge === true ? 'edge of a CDN' : undefined,
    listed.is_hosting === true ? 'data centre' : undefined,
    listed.allow && `allows ${listed.allow.join(' ')}`,
    listed.is_own === true ? "operator's own list" : undefined,
  ]);
}

/** Joins the known parts with commas; absent when there are none. */
function joined(parts: readonly (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join(', ');
}
