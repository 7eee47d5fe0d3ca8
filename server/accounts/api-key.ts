import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What every key begins with, for people and for scanners of leaked secrets. */
const MARK = 'ipa_';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = MARK.length + 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `ipa_`, 32 random characters (190 bits), and 6 of their CRC-32, all base 62. */
export function newApiKey(): string {
  let secret = '';
  for (let i = 0; i < SECRET_LENGTH; i++) secret += BASE62[randomInt(BASE62.length)]!;
  return MARK + secret + checksumOf(secret);
}

/** Whether a text could be a key: a slip of the pen is told without asking anybody. */
export function isApiKey(text: string): boolean {
  if (text.length !== MARK.length + SECRET_LENGTH + CHECKSUM_LENGTH || !text.startsWith(MARK)) return false;
  const secret = text.slice(MARK.length, -CHECKSUM_LENGTH);
  return text.endsWith(checksumOf(secret)) && /^[0-9A-Za-z]+$/.test(secret);
}

/** What is kept of a key: SHA-256, hexadecimal. A secret of 190 random bits needs no salt and no slow hash. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Enough of a key to tell it from others of its owner: `ipa_x7Kq2m`. */
export function prefixOfKey(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
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
