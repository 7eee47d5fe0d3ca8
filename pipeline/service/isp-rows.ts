import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT } from '../table/zip.js';
import { holderName } from './holder-name.js';
import type { IspNames } from './isp-names.js';
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
import { RowRecords } from './row-records.js';
import type { IspRecords, Origin, ServiceVerdict } from './service.js';
import { Texts } from './texts.js';

/** Collects the rows of which `isp.mmdb` is made, equal ones once. */
export class IspRows implements IspColumns {
  readonly texts = new Texts();
  readonly verdicts = new TupleMemo(VERDICT.width);
  readonly operators = new TupleMemo(OPERATOR.width);
  readonly clouds = new TupleMemo(CLOUD.width);
  readonly records = new TupleMemo(RECORD.width);
  readonly #verdict = new Int32Array(VERDICT.width);
  readonly #operator = new Int32Array(OPERATOR.width);
  readonly #cloud = new Int32Array(CLOUD.width);
  readonly #record = new Int32Array(RECORD.width);

  constructor() {
    // Row 0 of both is the empty one.
    this.#verdict.fill(ABSENT)[VERDICT.flags] = 0;
    this.verdicts.number(this.#verdict);
    this.operators.number(this.#operator.fill(ABSENT));
  }

  /** The number of a verdict; ISP, domain and carrier are not in it. */
  internVerdict(verdict: ServiceVerdict): number {
    const { type, isProxy, isCloudIdc, threats, cloud } = verdict;
    const row = this.#verdict;
    row[VERDICT.flags] =
      (isProxy ? IS_PROXY : 0) |
      (isCloudIdc ? IS_CLOUD_IDC : 0) |
      (isCloudIdc || type === 'DCH' ? IS_HOSTING : 0);
    row[VERDICT.fraudScore] = verdict.fraudScore ?? ABSENT;
    row[VERDICT.lastSeen] = verdict.lastSeen ?? ABSENT;
    row[VERDICT.type] = this.texts.numberOf(type);
    row[VERDICT.provider] = this.texts.numberOf(verdict.provider);
    row[VERDICT.threat] = threats.length === 0 ? ABSENT : this.texts.numberOf(threats.join('/'));
    row[VERDICT.usageType] = this.texts.numberOf(verdict.usageType);
    row[VERDICT.cloud] = cloud === undefined ? ABSENT : this.#internCloud(cloud);
    return this.verdicts.number(row);
  }

  /** The number of an operator. */
  internOperator({ en, 'zh-CN': zh, organization }: IspNames, origin: Origin | undefined): number {
    const row = this.#operator;
    // AS4294967295 is reserved (RFC 7300), so no AS number reads as ABSENT.
    row[OPERATOR.asn] = origin?.asn ?? ABSENT;
    row[OPERATOR.holder] = this.texts.numberOf(origin && holderName(origin));
    row[OPERATOR.en] = this.texts.numberOf(en);
    row[OPERATOR.zh] = this.texts.numberOf(zh);
    row[OPERATOR.organization] = this.texts.numberOf(organization);
    return this.operators.number(row);
  }

  /** The id of a record; ABSENT when nothing is known. `isp` and `domain` of a proxy are numbers of texts. */
  intern(verdict: number, operator: number, isp: number, domain: number): number {
    if (verdict === EMPTY && operator === EMPTY && isp === ABSENT && domain === ABSENT) return ABSENT;
    const row = this.#record;
    row[RECORD.verdict] = verdict;
    row[RECORD.operator] = operator;
    row[RECORD.isp] = isp;
    row[RECORD.domain] = domain;
    return this.records.number(row);
  }

  /** All records so far, made when they are asked for. */
  recordList(): IspRecords {
    return new RowRecords(this);
  }

  #internCloud({ provider, service, region }: NonNullable<ServiceVerdict['cloud']>): number {
    const row = this.#cloud;
    row[CLOUD.provider] = this.texts.numberOf(provider);
    row[CLOUD.service] = this.texts.numberOf(service);
    row[CLOUD.region] = this.texts.numberOf(region);
    return this.clouds.number(row);
  }
}

/** Number of the row that says nothing. */
const EMPTY = 0;
