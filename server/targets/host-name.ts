import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * The name of a host, which may be resolved to be looked up or connected to: a domain name as below. Names under the
 * reverse zones are none: they hold pointers and no addresses, and may be of somebody's private network.
 */
export function parseHostName(text: string): string | undefined {
  const name = parseDomainName(text);
  return name === undefined || REVERSE_NAME.test(name) ? undefined : name;
}

/**
 * A name of the form of hosts: ASCII (A-labels), lower case, no trailing dot. Absent when the text is none, such as what
 * a C library would take for a number (`127.1`, `0x7f.1`), single labels, and names that have no place in the public DNS
 * (rulings 16 and 17). Reverse names are taken, private ones too: `publicName` knows of them.
 */
export function parseDomainName(text: string): string | undefined {
  const name = asciiName(text.endsWith('.') ? text.slice(0, -1) : text);
  if (name === undefined || name.length > MAX_NAME || !HOST_NAME.test(name)) return undefined;
  const lastLabel = name.slice(name.lastIndexOf('.') + 1);
  if (isNumeric(lastLabel) || isSpecial(name)) return undefined;
  return name;
}

/** RFC 1035 §2.3.4, the text form without the root's dot. */
const MAX_NAME = 253;

/** At least two labels of letters, digits and inner hyphens (RFC 1123 §2.1), 63 of them at most. */
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The reverse zones (RFC 1035 §3.5, RFC 3596 §2.5) and all that is in them. */
const REVERSE_NAME = /(?:^|\.)(?:in-addr|ip6)\.arpa$/;

/** What inet_aton and the URL standard read as a number. */
const NUMERIC_LABEL = /^(?:\d+|0x[0-9a-f]*)$/;

/** Digits of any script, `۱۲۷`: of most of them IDNA makes no numbers, but others may. */
const DIGITS = /^\p{N}+$/u;

/**
 * Names that are not for the public DNS: IANA's special-use domain names (RFC 6761, 6762, 7686, 8375, 8880, 9462, 9476,
 * 9665), ICANN's `internal`, and the top-level domains that private networks are known to have (RFC 6762 §G).
 */
const SPECIAL_NAMES = [
  ...['local', 'internal', 'localhost', 'onion', 'alt', 'test', 'invalid', 'example'],
  ...['home.arpa', 'ipv4only.arpa', 'resolver.arpa', 'service.arpa'],
  ...['intranet', 'private', 'corp', 'home', 'lan'],
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

function isNumeric(label: string): boolean {
  return NUMERIC_LABEL.test(label) || (label.startsWith('xn--') && DIGITS.test(domainToUnicode(label)));
}

function isSpecial(name: string): boolean {
  return SPECIAL_NAMES.some((special) => `.${name}`.endsWith(special));
}
