import { asPart, type AsPart } from '../../pipeline/record/as-part.js';
import { ispPart, UNKNOWN_ISP, type IspPart } from '../../pipeline/record/isp-part.js';
import type { Language } from '../../pipeline/record/language.js';
import type { AnnouncerRecord, IspRecord } from '../release/records.js';

/** The fields of an IP record about the operator and the AS of an address. */
export interface NetworkPart extends IspPart, AsPart {
  readonly rdns: '';
  readonly is_reserved: boolean;
}

/** Returns the name of the operator. Without one, the announcing AS is the best name. */
export function ispName({ isp }: Pick<IspPart, 'isp'>, { org }: Pick<AsPart, 'org'>): string {
  return isp === '' ? org : isp;
}

/** Returns these fields. */
export function networkPart(
  operator: IspRecord | undefined,
  announcer: AnnouncerRecord | undefined,
  language: Language,
): NetworkPart {
  const as = asPart(announcer);
  const isp = operator === undefined ? UNKNOWN_ISP : ispPart(operator, language);
  return { ...as, ...isp, isp: ispName(isp, as), rdns: '', is_reserved: false };
}

/** The fields of an address without records. */
export const UNKNOWN_NETWORK: NetworkPart = Object.freeze(networkPart(undefined, undefined, 'en'));

/** The fields of a reserved address. */
export const RESERVED_NETWORK: NetworkPart = Object.freeze({ ...UNKNOWN_NETWORK, is_reserved: true });
