import { LIST_CLAIM_FORMAT, type ListClaim } from './list-claim.js';

/** The maximum length of a name, domain or label in characters. */
export const TEXT_CHARACTERS = 256;
/** The maximum number of labels in a field. */
export const LABELS = 64;

/** Describes the first text of a claim that is too long, or the first field with too many labels. */
export function textFault(claim: ListClaim): string | undefined {
  for (const field of LIST_CLAIM_FORMAT.fields) {
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
