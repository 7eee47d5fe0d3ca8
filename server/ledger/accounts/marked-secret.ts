import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates a secret: a mark such as `ipa_`, 32 random characters (190 bits) and 6 of their CRC-32, all base 62. */
export function newMarkedSecret(mark: string): string {
  let secret = '';
  for (let i = 0; i < SECRET_LENGTH; i++) secret += BASE62[randomInt(BASE62.length)]!;
  return mark + secret + checksumOf(secret);
}

/** Returns whether a text has the form of such a secret. The checksum finds typing errors without a lookup. */
export function isMarkedSecret(mark: string, text: string): boolean {
  if (text.length !== mark.length + SECRET_LENGTH + CHECKSUM_LENGTH || !text.startsWith(mark)) return false;
  const secret = text.slice(mark.length, -CHECKSUM_LENGTH);
  return text.endsWith(checksumOf(secret)) && /^[0-9A-Za-z]+$/.test(secret);
}

/** Returns the stored form: SHA-256 in hex. A secret of 190 random bits needs no salt and no slow hash. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function checksumOf(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62]! + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
