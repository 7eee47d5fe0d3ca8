import { formatDay } from '../lists/days.js';
import type { RecordList } from '../mmdb/write.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT } from '../table/zip.js';
import type { IspNames } from './isp-names.js';
import { anonymousIp, type IspRecord, type ProxyRecord } from './isp-record.js';
import type { Origin, ServiceVerdict } from './service.js';
import { Texts } from './texts.js';

/**
 * Records of `isp.mmdb` as rows of integers, equal ones once; they become objects when the writer asks for them. A
 * record is what lists come to, and who operates the network; both are rows of their own.
 */
export class IspRows {
  readonly #texts = new Texts();
  readonly #verdicts = new TupleMemo(VERDICT_WIDTH);
  readonly #verdict = new Int32Array(VERDICT_WIDTH);
  readonly #operators = new TupleMemo(OPERATOR_WIDTH);
  readonly #operator = new Int32Array(OPERATOR_WIDTH);
  readonly #pairs = new TupleMemo(2);
  readonly #pair = new Int32Array(2);

  constructor() {
    // Row 0 of both is the empty one.
    this.#verdict.fill(ABSENT)[FLAGS] = 0;
    this.#verdicts.number(this.#verdict);
    this.#operators.number(this.#operator.fill(ABSENT));
  }

  /** The number of a verdict. What has a type has the ISP and the domain of its AS where no list names others. */
  internVerdict(verdict: ServiceVerdict, origin: Origin | undefined): number {
    const { type, isProxy, isCloudIdc, threats, cloud } = verdict;
    const isTyped = type !== undefined;
    const row = this.#verdict;
    row[FLAGS] =
      (isProxy ? IS_PROXY : 0) |
      (isCloudIdc ? IS_CLOUD_IDC : 0) |
      (isCloudIdc || type === 'DCH' ? IS_HOSTING : 0);
    row[FRAUD_SCORE] = verdict.fraudScore ?? ABSENT;
    row[LAST_SEEN] = verdict.lastSeen ?? ABSENT;
    this.#setTexts(row, LAST_SEEN + 1, [
      type,
      isTyped ? (verdict.domain ?? origin?.domain) : undefined,
      isTyped ? (verdict.isp ?? origin?.organisation ?? origin?.name) : undefined,
      verdict.provider,
      threats.length === 0 ? undefined : threats.join('/'),
      verdict.usageType,
      ...[cloud?.provider, cloud?.service, cloud?.region],
    ]);
    return this.#verdicts.number(row);
  }

  /** The number of an operator. */
  internOperator({ en, 'zh-CN': zh, organization }: IspNames, origin: Origin | undefined): number {
    const row = this.#operator;
    // AS4294967295 is reserved (RFC 7300), so no AS number reads as ABSENT.
    row[0] = origin?.asn ?? ABSENT;
    this.#setTexts(row, 1, [origin?.organisation ?? origin?.name, en, zh, organization]);
    return this.#operators.number(row);
  }

  /** The id of the record of both; ABSENT when nothing is known. */
  intern(verdict: number, operator: number): number {
    if (verdict === EMPTY && operator === EMPTY) return ABSENT;
    this.#pair[0] = verdict;
    this.#pair[1] = operator;
    return this.#pairs.number(this.#pair);
  }

  /** The type of a verdict that is a proxy. */
  proxyTypeOf(verdict: number): string | undefined {
    return this.#proxyTypeOf(this.#rowOf(this.#verdicts, verdict, VERDICT_WIDTH));
  }

  /** All records so far, made when they are asked for. */
  get records(): RecordList {
    return { length: this.#pairs.size, at: (id) => this.#recordOf(id) };
  }

  #recordOf(id: number): IspRecord {
    const [verdict, operator] = this.#rowOf(this.#pairs, id, 2);
    return {
      ...this.#operatorFields(this.#rowOf(this.#operators, operator!, OPERATOR_WIDTH)),
      ...this.#verdictFields(this.#rowOf(this.#verdicts, verdict!, VERDICT_WIDTH)),
    };
  }

  #operatorFields(row: Int32Array): IspRecord {
    const [holder, en, zh, organization] = this.#textsOf(row, 1);
    const isp = en ?? zh;
    return {
      ...(isp !== undefined && { isp }),
      ...(organization !== undefined && { organization }),
      ...(row[0] !== ABSENT && { autonomous_system_number: row[0]! >>> 0 }),
      ...(holder !== undefined && { autonomous_system_organization: holder }),
      ...(isp !== undefined && {
        isp_names: { ...(en !== undefined && { en }), ...(zh !== undefined && { 'zh-CN': zh }) },
      }),
    };
  }

  #verdictFields(row: Int32Array): IspRecord {
    const flags = row[FLAGS]!;
    const [usage_type, provider, service, region] = this.#textsOf(row, USAGE_TYPE);
    const proxy = this.#proxyOf(row);
    return {
      ...(usage_type !== undefined && { usage_type }),
      ...anonymousIp(this.#proxyTypeOf(row), (flags & IS_HOSTING) !== 0),
      ...((flags & IS_CLOUD_IDC) !== 0 && { is_cloud_idc: true }),
      ...(Object.keys(proxy).length > 0 && { proxy }),
      ...(provider !== undefined && {
        cloud: {
          provider,
          ...(service !== undefined && { service }),
          ...(region !== undefined && { region }),
        },
      }),
    };
  }

  #proxyOf(row: Int32Array): ProxyRecord {
    const [type, domain, isp, provider, threat] = this.#textsOf(row, TYPE);
    const fraudScore = row[FRAUD_SCORE]!;
    const lastSeen = row[LAST_SEEN]!;
    return {
      ...(type !== undefined && { type }),
      ...(domain !== undefined && { domain }),
      ...(isp !== undefined && { isp }),
      ...(provider !== undefined && { provider }),
      ...(threat !== undefined && { threat }),
      ...(fraudScore !== ABSENT && { fraud_score: fraudScore }),
      ...(lastSeen !== ABSENT && { last_seen: formatDay(lastSeen) }),
    };
  }

  #proxyTypeOf(row: Int32Array): string | undefined {
    return (row[FLAGS]! & IS_PROXY) === 0 ? undefined : this.#texts.textOf(row[TYPE]!);
  }

  #setTexts(row: Int32Array, from: number, texts: readonly (string | undefined)[]): void {
    for (let i = 0; i < texts.length; i++) row[from + i] = this.#texts.numberOf(texts[i]);
  }

  #textsOf(row: Int32Array, from: number): (string | undefined)[] {
    return Array.from(row.subarray(from), (number) => this.#texts.textOf(number));
  }

  #rowOf(rows: TupleMemo, number: number, width: number): Int32Array {
    return rows.tuples.subarray(number * width, (number + 1) * width);
  }
}

/** Number of the row that says nothing. */
const EMPTY = 0;

/** Integers of a verdict: flags, score and day, then texts in the order in which `internVerdict` sets them. */
const FLAGS = 0;
const FRAUD_SCORE = 1;
const LAST_SEEN = 2;
const TYPE = 3;
const USAGE_TYPE = 8;
const VERDICT_WIDTH = 12;

/** AS number, its holder, the two names, the organization. */
const OPERATOR_WIDTH = 5;

const IS_PROXY = 1;
const IS_CLOUD_IDC = 2;
const IS_HOSTING = 4;
