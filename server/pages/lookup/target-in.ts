import { isIP } from 'node:net';

/**
 * Returns the target in a text that was typed or pasted: the AS of `15169` and `AS 15169`, and the host of a URL or of
 * `example.com:443/path`. Other text is returned unchanged.
 */
export function targetIn(text: string): string {
  const [, number] = AS_NUMBER.exec(text) ?? [];
  if (number !== undefined) return `AS${number}`;
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return new URL(text).hostname.replace(/^\[|\]$/g, '');
  if (isPrefix(text)) return text;
  const { inner, outer } = HOST.exec(text)?.groups ?? {};
  return inner ?? outer ?? text;
}

const AS_NUMBER = /^(?:as\s*)?(\d{1,10})$/i;

/** A host with what may follow it: `[2001:db8::1]:443`, `example.com:443/path`. An IPv6 address has two colons. */
const HOST = /^(?:\[(?<inner>[^\]]+)\]|(?<outer>[^\s:/?#]+))(?::\d{1,5})?(?:[/?#].*)?$/;

function isPrefix(text: string): boolean {
  const [address = '', length = ''] = text.split('/', 2);
  return isIP(address) !== 0 && /^\d+$/.test(length);
}
