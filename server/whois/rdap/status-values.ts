import { eppStatusOf } from '../epp-status.js';
import { fieldOf, listOf, textOf } from './untrusted-json.js';

/** The status values of an RDAP object (RFC 9083 §10.2.2) in the spelling of EPP (RFC 8056 §2), each once. */
export function codesOfStatusValues(object: unknown): readonly string[] {
  const codes = listOf(fieldOf(object, 'status')).map((value) => statusCode(textOf(value)));
  return [...new Set(codes.filter((code) => code !== ''))].slice(0, MAX_CODES);
}

/** `client transfer prohibited` is clientTransferProhibited; what EPP has no word for is spelt likewise. */
function statusCode(text: string): string {
  if (!WORDS.test(text)) return '';
  // Some write EPP's words themselves.
  const [first = '', ...rest] = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _-]+/);
  const code = [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  return eppStatusOf(code);
}

const MAX_CODES = 50;
const WORDS = /^[A-Za-z]+(?:[ _-][A-Za-z]+){0,5}$/;
