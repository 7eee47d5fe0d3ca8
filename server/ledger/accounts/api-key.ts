import { hashOfSecret, isMarkedSecret, newMarkedSecret } from './marked-secret.js';

/** The prefix of every key, for people and for scanners of leaked secrets. */
const MARK = 'ipa_';
const PREFIX_LENGTH = MARK.length + 6;

/** Creates a key: `ipa_` and 38 characters. */
export function newApiKey(): string {
  return newMarkedSecret(MARK);
}

/** Returns whether a text has the form of a key, its checksum included. */
export function isApiKey(text: string): boolean {
  return isMarkedSecret(MARK, text);
}

/** Returns the stored form of a key. */
export function hashOfKey(key: string): string {
  return hashOfSecret(key);
}

/** Returns the part of a key that distinguishes it from other keys of its owner: `ipa_x7Kq2m`. */
export function prefixOfKey(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
}
