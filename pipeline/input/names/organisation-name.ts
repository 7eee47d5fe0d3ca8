import { isPostalAddress } from './postal-address.js';

/**
 * Returns whether a text is the handle of a network instead of a name: one word without lower case, or with `-` or `_`
 * (`COMCAST-7922`, `UUNET`, `Deloitte-AS`). Some names also look like this (`IBM`), so a handle is used when no source
 * has another name.
 */
export function isHandle(text: string): boolean {
  return /^[!-~]+$/.test(text) && (/[-_]/.test(text) || !/[a-z]/.test(text));
}

/** Returns whether a text can name an organisation: it is neither a postal address nor a remark. */
export function namesOrganisation(text: string): boolean {
  return !REMARK.test(text) && !isPostalAddress(text);
}

/**
 * Returns the first text that names an organisation and is not a handle, else the first one that names an organisation.
 * Returns undefined when there is none.
 */
export function bestOrganisation(texts: readonly (string | undefined)[]): string | undefined {
  const names = texts.filter((text) => text !== undefined).filter(namesOrganisation);
  return names.find((name) => !isHandle(name)) ?? names[0];
}

/** Remarks in place of a name: `# downlink to customer`, `--- Transit ---`, `www.example.com`, `noc@example.com 20111108`. */
const REMARK =
  /^(?:[#*[$]|--|- -)|^[^\p{L}]+$|\w@[\w-]+\.\w|\bwww\b|:\/\/|^(?:tel|fax|phone|tlfo)\b.*\d|^from as\d/iu;
