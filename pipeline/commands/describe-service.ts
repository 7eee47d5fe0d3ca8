import { alignColumns } from '../release/columns.js';
import type { EvidenceShown, IspShown } from './inspect-records.js';
import type { AddressService } from './inspect-service.js';

/** What the ISP dataset says about an address, for people: who it is, then a line for each list that speaks of it. */
export function describeService(service: AddressService | undefined): string[] {
  if (!service) return ['no ISP dataset in this release'];
  const { isp, evidence, refused } = service;
  const rows = isp ? [['isp.mmdb', isp.prefix], ...recordRows(isp.record)] : [['isp.mmdb', 'nothing']];
  const lists = Object.entries(evidence?.record ?? {}).map(([list, said]) =>
    listRow(list, said, isp?.record),
  );
  return [
    ...alignColumns(rows, 2),
    '',
    ...(lists.length === 0 ? ['no list speaks of it'] : alignColumns([HEAD, ...lists], HEAD.length)),
    ...refused.map(
      ({ file, refusal, found, usedInstead }) =>
        `refused for this release: ${file}: ${refusal}: ${found}. Used instead: ${usedInstead}`,
    ),
  ];
}

const HEAD = ['list', 'type', 'provider', 'cloud', 'last seen', 'agrees on', 'says besides'];

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

/** `no` is said too: a type alone makes no proxy. */
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

function listRow(list: string, said: EvidenceShown, record: IspShown | undefined): string[] {
  const { type, provider, cloud, service, region, last_seen: lastSeen } = said;
  return [
    list,
    type ?? '-',
    provider ?? '-',
    joined([cloud, service, region]) ?? '-',
    lastSeen ?? '-',
    said.is_expired === true ? 'nothing, too old to be heard' : (agreement(said, record) ?? '-'),
    besides(said) ?? '-',
  ];
}

/** What the record has as this list says it: who may have decided. */
function agreement(said: EvidenceShown, record: IspShown | undefined): string | undefined {
  const { proxy, cloud, usage_type: usage } = record ?? {};
  const pairs = {
    type: [said.taken_for ?? said.type, proxy?.type],
    provider: [said.provider, proxy?.provider],
    usage: [said.usage_type, usage],
    cloud: [said.cloud, cloud?.provider],
    isp: [said.isp, proxy?.isp],
  };
  return joined(
    Object.entries(pairs).map(([name, [its, ours]]) =>
      its !== undefined && its === ours ? name : undefined,
    ),
  );
}

function besides(said: EvidenceShown): string | undefined {
  return joined([
    said.taken_for === undefined ? undefined : `taken for ${said.taken_for}`,
    said.evidence,
    said.usage_type === undefined ? undefined : `usage ${said.usage_type}`,
    said.threat,
    said.fraud_score === undefined ? undefined : `fraud score ${said.fraud_score}`,
    said.isp,
    said.domain,
    said.carrier,
    said.is_edge === true ? 'edge of a CDN' : undefined,
    said.is_hosting === true ? 'data centre' : undefined,
    said.allow && `allows ${said.allow.join(' ')}`,
    said.is_own === true ? "the operator's own word" : undefined,
  ]);
}

/** What is known, with commas; absent when nothing is. */
function joined(parts: readonly (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join(', ');
}
