/** The beginnings of API keys and of tokens of probe nodes. */
const KEY = /ip[an]_/i;

/**
 * Masks keys and tokens in a path that were sent as a segment of it, plain or percent-encoded any number of times:
 * `/api/ip/%2569pa_secret` becomes `/api/ip/ipa_…`. The rest of the segment is left out.
 */
export function maskKeys(path: string): string {
  if (!path.includes('%')) return KEY.test(path) ? path.replace(KEY_IN_SEGMENT, '$1…') : path;
  return path.split('/').map(maskEncoded).join('/');
}

const KEY_IN_SEGMENT = /(ip[an]_)[^/]*/gi;

/** Masks a key in a segment. A segment without one stays encoded as it was. */
function maskEncoded(segment: string): string {
  const decoded = segment.includes('%') ? decodeRepeatedly(segment) : segment;
  const at = decoded.search(KEY);
  return at < 0 ? segment : `${decoded.slice(0, at + 'ipa_'.length)}…`;
}

const PERCENT = 0x25;

/**
 * Decodes until no `%XX` is left, in one pass: a decoded character may complete another `%XX`, and is then decoded with
 * it. Decoding the whole text again for each layer would take quadratic time.
 */
function decodeRepeatedly(text: string): string {
  const units = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    units[length++] = text.charCodeAt(at);
    while (length >= 3 && units[length - 3] === PERCENT) {
      const high = hexDigit(units[length - 2]!);
      const low = hexDigit(units[length - 1]!);
      if (high < 0 || low < 0) break;
      length -= 2;
      units[length - 1] = high * 16 + low;
    }
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
}

/** Returns the value of a hexadecimal digit; -1 for other characters. */
function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
