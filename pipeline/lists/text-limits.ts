import { LIST_CLAIM_FIELDS, type ListClaim } from './list-claim.js';

/** Characters of a text that is believed to be a name, a domain or a label. */
export const TEXT_CHARACTERS = 256;
/** Labels that one claim may have. */
export const LABELS = 64;

/** Which text of a claim is too long to be one, or of which there are too many, in words; absent when none is. */
export function textFault(claim: ListClaim): string | undefined {
  for (const field of LIST_CLAIM_FIELDS) {
    const value = claim[field];
    if (typeof value === 'string') {
      if (value.length > TEXT_CHARACTERS) return `${field} has ${value.length} characters`;
    } else if (typeof value === 'object') {
      if (value.length > LABELS) return `${field} has ${value.length} labels`;
      const long = value.find((label) => label.length > TEXT_CHARACTERS);
      if (long !== undefined) return `a label of ${field} has ${long.length} characters`;
    }
  }
  return undefined;
}
