import { eppStatusOf } from '../epp-status.js';

/**
 * Extracts EPP codes (RFC 8056) from status lines: `clientHold https://icann.org/epp#clientHold`, `client hold`, and
 * comma-separated lists. Omits words for a free name.
 */
export function codesOfStatusLines(values: readonly string[]): readonly string[] {
  const codes = values
    .flatMap((value) => value.split(','))
    .map(codeOf)
    .filter((code) => code !== '' && !NO_STATUS.has(code.toLowerCase()));
  return [...new Set(codes)];
}

const MAX_CODE = 64;
const NO_STATUS: ReadonlySet<string> = new Set([
  'free',
  'available',
  'availableforregistration',
  'invalid',
  'notregistered',
  'unassigned',
  'noobjectfound',
]);

function codeOf(text: string): string {
  const words = text
    .slice(0, 200)
    .split(/https?:|[(.]/i, 1)[0]!
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const code = words.map((word, i) => (i === 0 ? lowerFirst(word) : upperFirst(word))).join('');
  if (code.length > MAX_CODE) return '';
  return eppStatusOf(code);
}

/** `CONNECTED` and `Connected` are words to lower-case. `clientHold` is already a code. */
function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word[0]!.toLowerCase() + word.slice(1);
}

function upperFirst(word: string): string {
  const rest = word === word.toUpperCase() ? word.slice(1).toLowerCase() : word.slice(1);
  return word[0]!.toUpperCase() + rest;
}
