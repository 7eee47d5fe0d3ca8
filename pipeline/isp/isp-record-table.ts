import { present, type Draft } from '../mmdb/present.js';
import type { RecordList } from '../mmdb/write.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT } from '../table/zip.js';
import { formatDay } from '../lists/days.js';
import type { Decision } from './decide-listings.js';
import type { IspNames } from './isp-names.js';
import { anonymousIp, type IspRecord, type ProxyRecord } from './isp-record.js';

/** Fields of a record that the listings decide, except the `isp` and `domain` of a proxy. */
export type ListedPart = Omit<
  IspRecord,
  'isp' | 'organization' | 'autonomous_system_number' | 'autonomous_system_organization' | 'isp_names'
>;

/** Returns the fields that the listings of a network decide. */
export function listedPart(decision: Decision): ListedPart {
  const { type, usageType, isProxy, isCloudIdc, cloud } = decision;
  const proxy = proxyPart(decision);
  return present({
    usage_type: usageType,
    ...anonymousIp(isProxy ? type : undefined, isCloudIdc || type === 'DCH'),
    is_cloud_idc: isCloudIdc || undefined,
    proxy,
    cloud,
  });
}

function proxyPart({ type, provider, threats, fraudScore, lastSeen }: Decision): ProxyRecord | undefined {
  if (type === undefined && threats.length === 0) return undefined;
  return present({
    type,
    provider,
    threat: threats.length === 0 ? undefined : threats.join('/'),
    fraud_score: fraudScore,
    last_seen: lastSeen === undefined ? undefined : formatDay(lastSeen),
  });
}

/** Who operates a network, and who runs a proxy in it. Undefined is unknown. */
export interface Operator {
  readonly asn: number | undefined;
  /** Name of the AS. */
  readonly holder: string | undefined;
  readonly names: IspNames;
  /** Names of the proxy's ISP and domain; undefined for a network without a proxy type. */
  readonly proxyIsp: string | undefined;
  readonly proxyDomain: string | undefined;
}

/**
 * The distinct records of `isp.mmdb`, each a pair of a listed part and an operator. A full night has a million records
 * and hundreds of thousands of operators, so both are rows of integers; each record is made on request.
 */
export class IspRecordTable implements RecordList {
  readonly #listed = new Interner<ListedPart>();
  readonly #texts = new Interner<string>();
  readonly #operators = new TupleMemo(OPERATOR_WIDTH);
  readonly #operator = new Int32Array(OPERATOR_WIDTH);
  readonly #records = new TupleMemo(2);
  readonly #record = new Int32Array(2);
  /** Names by operator: records share these objects, which the writer recognises. */
  readonly #ispNames: IspRecord['isp_names'][] = [];

  constructor() {
    this.internListed({});
    this.#operators.number(this.#operator.fill(ABSENT));
  }

  /** Returns the number of the part of a record that the listings decide. */
  internListed(part: ListedPart): number {
    return this.#listed.numberOf(JSON.stringify(part), () => part);
  }

  /** Returns the number of an operator. */
  internOperator({ asn, holder, names, proxyIsp, proxyDomain }: Operator): number {
    const row = this.#operator;
    // AS4294967295 is reserved (RFC 7300), so no AS number is stored as ABSENT.
    row[ASN] = asn ?? ABSENT;
    row[HOLDER] = this.#numberOfText(holder);
    row[EN] = this.#numberOfText(names.en);
    row[ZH] = this.#numberOfText(names.zh);
    row[ORGANIZATION] = this.#numberOfText(names.organization);
    row[PROXY_ISP] = this.#numberOfText(proxyIsp);
    row[PROXY_DOMAIN] = this.#numberOfText(proxyDomain);
    return this.#operators.number(row);
  }

  /** Returns the id of the record with these parts, by their numbers; ABSENT when both are empty. */
  intern(listed: number, operator: number): number {
    if (listed === EMPTY && operator === EMPTY) return ABSENT;
    this.#record[0] = listed;
    this.#record[1] = operator;
    return this.#records.number(this.#record);
  }

  get length(): number {
    return this.#records.size;
  }

  /** Makes the record with this id. */
  at(id: number): IspRecord {
    const operator = this.#records.at(id, 1);
    const record: Draft<IspRecord> = { ...this.#listed.at(this.#records.at(id, 0)) };
    const asn = this.#operators.at(operator, ASN);
    const organization = this.#text(operator, ORGANIZATION);
    const holder = this.#text(operator, HOLDER);
    const names = (this.#ispNames[operator] ??= this.#namesOf(operator));
    if (asn !== ABSENT) record.autonomous_system_number = asn >>> 0;
    if (holder !== undefined) record.autonomous_system_organization = holder;
    if (organization !== undefined) record.organization = organization;
    const isp = names.en ?? names['zh-CN'];
    if (isp !== undefined) {
      record.isp = isp;
      record.isp_names = names;
    }
    const proxyIsp = this.#text(operator, PROXY_ISP);
    const domain = this.#text(operator, PROXY_DOMAIN);
    if (proxyIsp === undefined && domain === undefined) return record;
    const proxy: Draft<ProxyRecord> = { ...record.proxy };
    if (proxyIsp !== undefined) proxy.isp = proxyIsp;
    if (domain !== undefined) proxy.domain = domain;
    record.proxy = proxy;
    return record;
  }

  #namesOf(operator: number): NonNullable<IspRecord['isp_names']> {
    return present({ en: this.#text(operator, EN), 'zh-CN': this.#text(operator, ZH) });
  }

  #text(operator: number, column: number): string | undefined {
    const number = this.#operators.at(operator, column);
    return number === ABSENT ? undefined : this.#texts.at(number);
  }

  #numberOfText(text: string | undefined): number {
    return text === undefined ? ABSENT : this.#texts.numberOf(text, (text) => text);
  }
}

/** Number of the listed part and of the operator about which nothing is known. */
const EMPTY = 0;

/** Columns of an operator: the AS number, then numbers of texts. */
const ASN = 0;
const HOLDER = 1;
const EN = 2;
const ZH = 3;
const ORGANIZATION = 4;
const PROXY_ISP = 5;
const PROXY_DOMAIN = 6;
const OPERATOR_WIDTH = 7;

/** Distinct values by number, in the order of first sight. Values with equal keys are equal. */
export class Interner<T> {
  readonly #values: T[] = [];
  readonly #numbers = new Map<string, number>();

  /** Returns the number of the value with this key; `make` is called at first sight. */
  numberOf(key: string, make: (key: string) => T): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#values.push(make(key)) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  at(number: number): T {
    return this.#values[number]!;
  }
}
