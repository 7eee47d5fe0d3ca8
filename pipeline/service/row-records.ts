import { formatDay } from '../lists/days.js';
import { ABSENT } from '../table/zip.js';
import { anonymousIp, type IspRecord, type ProxyRecord } from './isp-record.js';
import {
  CLOUD,
  IS_CLOUD_IDC,
  IS_HOSTING,
  IS_PROXY,
  OPERATOR,
  RECORD,
  VERDICT,
  type IspColumns,
} from './isp-row-layout.js';
import type { IspRecords } from './service.js';

/**
 * Makes the records of rows, each when it is asked for. What many records share is one object, which the writer knows
 * again. Field by field, because a night writes a million.
 */
export class RowRecords implements IspRecords {
  readonly #columns: IspColumns;
  readonly #names: IspRecord['isp_names'][] = [];
  readonly #clouds: IspRecord['cloud'][] = [];
  readonly #days = new Map<number, string>();

  constructor(columns: IspColumns) {
    this.#columns = columns;
  }

  get length(): number {
    return this.#columns.records.size;
  }

  at(id: number): IspRecord {
    const { records } = this.#columns;
    const record: Draft<IspRecord> = {};
    const verdict = records.at(id, RECORD.verdict);
    this.#tellOperator(record, records.at(id, RECORD.operator));
    this.#tellVerdict(record, verdict);
    const proxy = this.#proxyOf(verdict, records.at(id, RECORD.isp), records.at(id, RECORD.domain));
    if (Object.keys(proxy).length > 0) record.proxy = proxy;
    return record;
  }

  #tellOperator(record: Draft<IspRecord>, number: number): void {
    const { texts, operators } = this.#columns;
    const en = texts.textOf(operators.at(number, OPERATOR.en));
    const zh = texts.textOf(operators.at(number, OPERATOR.zh));
    const isp = en ?? zh;
    const asn = operators.at(number, OPERATOR.asn);
    set(record, 'isp', isp);
    set(record, 'organization', texts.textOf(operators.at(number, OPERATOR.organization)));
    if (asn !== ABSENT) record.autonomous_system_number = asn >>> 0;
    set(record, 'autonomous_system_organization', texts.textOf(operators.at(number, OPERATOR.holder)));
    if (isp !== undefined) record.isp_names = this.#names[number] ??= named(en, zh);
  }

  #tellVerdict(record: Draft<IspRecord>, number: number): void {
    const { texts, verdicts } = this.#columns;
    const flags = verdicts.at(number, VERDICT.flags);
    const cloud = verdicts.at(number, VERDICT.cloud);
    const type = texts.textOf(verdicts.at(number, VERDICT.type));
    set(record, 'usage_type', texts.textOf(verdicts.at(number, VERDICT.usageType)));
    const proxyType = (flags & IS_PROXY) === 0 ? undefined : type;
    if (flags !== 0) Object.assign(record, anonymousIp(proxyType, (flags & IS_HOSTING) !== 0));
    if ((flags & IS_CLOUD_IDC) !== 0) record.is_cloud_idc = true;
    if (cloud !== ABSENT) record.cloud = this.#clouds[cloud] ??= this.#cloudOf(cloud);
  }

  #proxyOf(verdict: number, isp: number, domain: number): ProxyRecord {
    const { texts, verdicts } = this.#columns;
    const fraudScore = verdicts.at(verdict, VERDICT.fraudScore);
    const lastSeen = verdicts.at(verdict, VERDICT.lastSeen);
    const proxy: Draft<ProxyRecord> = {};
    set(proxy, 'type', texts.textOf(verdicts.at(verdict, VERDICT.type)));
    set(proxy, 'domain', texts.textOf(domain));
    set(proxy, 'isp', texts.textOf(isp));
    set(proxy, 'provider', texts.textOf(verdicts.at(verdict, VERDICT.provider)));
    set(proxy, 'threat', texts.textOf(verdicts.at(verdict, VERDICT.threat)));
    if (fraudScore !== ABSENT) proxy.fraud_score = fraudScore;
    if (lastSeen !== ABSENT) proxy.last_seen = this.#dayText(lastSeen);
    return proxy;
  }

  #cloudOf(number: number): NonNullable<IspRecord['cloud']> {
    const { texts, clouds } = this.#columns;
    const service = texts.textOf(clouds.at(number, CLOUD.service));
    const region = texts.textOf(clouds.at(number, CLOUD.region));
    return {
      provider: texts.textOf(clouds.at(number, CLOUD.provider))!,
      ...(service !== undefined && { service }),
      ...(region !== undefined && { region }),
    };
  }

  #dayText(day: number): string {
    let text = this.#days.get(day);
    if (text === undefined) this.#days.set(day, (text = formatDay(day)));
    return text;
  }
}

/** A record in the making. */
type Draft<T> = { -readonly [Field in keyof T]: T[Field] };

function set<T, Field extends keyof T>(draft: T, field: Field, value: T[Field] | undefined): void {
  if (value !== undefined) draft[field] = value;
}

function named(en: string | undefined, zh: string | undefined): NonNullable<IspRecord['isp_names']> {
  return { ...(en !== undefined && { en }), ...(zh !== undefined && { 'zh-CN': zh }) };
}
