import { domainToASCII } from 'node:url';

/**
 * A host name that may be asked for in the public DNS: ASCII (A-labels), lower case, no trailing dot. Absent when the
 * text is none, such as what a C library would take for a number (`127.1`, `0x7f.1`), single labels, and names that
 * have no place in the public DNS (rulings 16 and 17).
 */
export function parseHostName(text: string): string | undefined {
  const name = asciiName(text.endsWith('.') ? text.slice(0, -1) : text);
  if (name === undefined || name.length > MAX_NAME || !HOST_NAME.test(name)) return undefined;
  const lastLabel = name.slice(name.lastIndexOf('.') + 1);
  if (NUMERIC_LABEL.test(lastLabel) || isSpecial(name)) return undefined;
  return name;
}

/** RFC 1035 §2.3.4, the text form without the root's dot. */
const MAX_NAME = 253;

/** At least two labels of letters, digits and inner hyphens (RFC 1123 §2.1), 63 of them at most. */
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** What inet_aton and the URL standard read as a number. */
const NUMERIC_LABEL = /^(?:\d+|0x[0-9a-f]*)$/;

/** Names that are not for the public DNS (RFC 6761, 6762, 7686, 8375, and ICANN's `internal`). */
const SPECIAL_NAMES = [
  ...['local', 'internal', 'localhost', 'home.arpa', 'onion', 'test', 'invalid', 'example'],
].map((name) => `.${name}`);

const PLAIN_ASCII = /^[a-zA-Z0-9.-]*$/;
/** Must not reach the URL parser behind `domainToASCII`, to which it means something. */
const FOREIGN_ASCII = /[\0-,/:-@[-`{-\x7f]/;

/** The A-label form of a name (RFC 5891); absent when it has none. */
function asciiName(text: string): string | undefined {
  // Longer text is no name in any spelling, and not worth a conversion.
  if (text.length > MAX_NAME || FOREIGN_ASCII.test(text)) return undefined;
  const lower = text.toLowerCase();
  if (PLAIN_ASCII.test(text) && !lower.includes('xn--')) return lower;
  const converted = domainToASCII(lower);
  return converted === '' ? undefined : converted;
}

function isSpecial(name: string): boolean {
  return name === 'home.arpa' || SPECIAL_NAMES.some((special) => name.endsWith(special));
}
