import { toASCII, toUnicode } from 'tr46';

/**
 * Parses the name of a host to resolve or connect to. Returns undefined for other text. Names in the reverse zones are
 * refused: they have no addresses and may belong to a private network.
 */
export function parseHostName(text: string): string | undefined {
  const name = parseDomainName(text);
  return name === undefined || REVERSE_NAME.test(name) ? undefined : name;
}

/**
 * Parses a domain name. The result is ASCII (A-labels), lower case, without a trailing dot. Returns undefined for text
 * that a C library reads as a number (`127.1`, `0x7f.1`), single labels, and names outside the public DNS (decisions 16
 * and 17). Accepts all reverse names; `publicName` refuses the private ones.
 */
export function parseDomainName(text: string): string | undefined {
  const name = asciiName(text.endsWith('.') ? text.slice(0, -1) : text);
  if (name === undefined || name.length > MAX_NAME || !HOST_NAME.test(name)) return undefined;
  const lastLabel = name.slice(name.lastIndexOf('.') + 1);
  if (isNumeric(lastLabel) || isSpecial(name)) return undefined;
  return name;
}

/** RFC 1035 §2.3.4, without the trailing dot. */
const MAX_NAME = 253;

/** At least two labels of letters, digits and inner hyphens (RFC 1123 §2.1), 63 characters each at most. */
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Names in the reverse zones (RFC 1035 §3.5, RFC 3596 §2.5). */
const REVERSE_NAME = /(?:^|\.)(?:in-addr|ip6)\.arpa$/;

/** A label that inet_aton and the URL standard read as a number. */
const NUMERIC_LABEL = /^(?:\d+|0x[0-9a-f]*)$/;

/** Digits of any script, such as `۱۲۷`. IDNA does not convert most of them, but other software may. */
const DIGITS = /^\p{N}+$/u;

/**
 * Names outside the public DNS: IANA's special-use domain names (RFC 6761, 6762, 7686, 8375, 8880, 9462, 9476,
 * 9665), ICANN's `internal`, and top-level domains common in private networks (RFC 6762 §G).
 */
// prettier-ignore
const SPECIAL_NAMES = [
  'local', 'internal', 'localhost', 'onion', 'alt', 'test', 'invalid', 'example',
  'home.arpa', 'ipv4only.arpa', 'resolver.arpa', 'service.arpa',
  'intranet', 'private', 'corp', 'home', 'lan',
].map((name) => `.${name}`);

const PLAIN_ASCII = /^[a-zA-Z0-9.-]*$/;
/** ASCII characters that host names cannot contain. Text with one is refused before the conversion. */
const FOREIGN_ASCII = /[\0-,/:-@[-`{-\x7f]/;

/**
 * Unicode IDNA compatibility processing (UTS #46), non-transitional, as the URL standard asks for it. Node's own
 * `domainToASCII` differs between versions: since Node 24 it accepts A-labels that decode to nothing (`xn--a.com`).
 */
const IDNA = { checkBidi: true, checkJoiners: true } as const;

/** Returns the A-label form of a name (RFC 5891), or undefined if it has none. */
function asciiName(text: string): string | undefined {
  // Longer text cannot be a name in any spelling, so it is not converted.
  if (text.length > MAX_NAME || FOREIGN_ASCII.test(text)) return undefined;
  const lower = text.toLowerCase();
  if (PLAIN_ASCII.test(text) && !lower.includes('xn--')) return lower;
  return toASCII(lower, IDNA) ?? undefined;
}

function isNumeric(label: string): boolean {
  return (
    NUMERIC_LABEL.test(label) || (label.startsWith('xn--') && DIGITS.test(toUnicode(label, IDNA).domain))
  );
}

function isSpecial(name: string): boolean {
  return SPECIAL_NAMES.some((special) => `.${name}`.endsWith(special));
}
