import { asPart, type AsPart } from '../../pipeline/record/as-part.js';
import { ispPart, type IspPart } from '../../pipeline/record/isp-part.js';
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

/** The parts of a NetworkPart: a field is that of the first one that has it. */
export type NetworkParts = readonly [Pick<NetworkPart, 'isp' | 'rdns' | 'is_reserved'>, AsPart, IspPart];

/** Returns the parts of these fields. Joining them to one object takes longer than the rest of a record. */
export function networkParts(
  operator: IspRecord | undefined,
  announcer: AnnouncerRecord | undefined,
  language: Language,
): NetworkParts {
  const as = asPart(announcer);
  const isp = ispPart(operator, language);
  return [{ isp: ispName(isp, as), rdns: '', is_reserved: false }, as, isp];
}

/** Returns these fields. */
export function networkPart(...records: Parameters<typeof networkParts>): NetworkPart {
  const [own, as, isp] = networkParts(...records);
  return { ...isp, ...as, ...own };
}

/** The fields of an address without records. */
export const UNKNOWN_NETWORK: NetworkPart = Object.freeze(networkPart(undefined, undefined, 'en'));

/** The fields of a reserved address. */
export const RESERVED_NETWORK: NetworkPart = Object.freeze({ ...UNKNOWN_NETWORK, is_reserved: true });
