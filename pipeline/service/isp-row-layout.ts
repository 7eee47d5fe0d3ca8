import type { TupleMemo } from '../table/tuple-memo.js';
import type { Texts } from './texts.js';

/** Records of `isp.mmdb` as rows of integers. ABSENT stands for what is not known. */
export interface IspColumns {
  /** All texts of all rows. */
  readonly texts: Texts;
  /** What lists come to. */
  readonly verdicts: TupleMemo;
  /** Who operates a network. */
  readonly operators: TupleMemo;
  readonly clouds: TupleMemo;
  /** A verdict, an operator, and whose the proxy is. */
  readonly records: TupleMemo;
}

/** Integers of a verdict: flags, score, day, numbers of texts, number of the cloud. */
export const VERDICT = {
  ...{ flags: 0, fraudScore: 1, lastSeen: 2 },
  ...{ type: 3, provider: 4, threat: 5, usageType: 6 },
  ...{ cloud: 7, width: 8 },
} as const;

/** Flags of a verdict. */
export const IS_PROXY = 1;
export const IS_CLOUD_IDC = 2;
export const IS_HOSTING = 4;

/** Integers of an operator: AS number, then numbers of texts. */
export const OPERATOR = { asn: 0, holder: 1, en: 2, zh: 3, organization: 4, width: 5 } as const;

/** Numbers of texts. */
export const CLOUD = { provider: 0, service: 1, region: 2, width: 3 } as const;

/** Numbers of the rows, then of texts. */
export const RECORD = { verdict: 0, operator: 1, isp: 2, domain: 3, width: 4 } as const;
