import { hashOfSecret, isMarkedSecret, newMarkedSecret } from './marked-secret.js';

/** What every key begins with, for people and for scanners of leaked secrets. */
const MARK = 'ipa_';
const PREFIX_LENGTH = MARK.length + 6;

/** A new key: `ipa_` and 38 characters. */
export function newApiKey(): string {
  return newMarkedSecret(MARK);
}

/** Whether a text could be a key. */
export function isApiKey(text: string): boolean {
  return isMarkedSecret(MARK, text);
}

/** What is kept of a key. */
export function hashOfKey(key: string): string {
  return hashOfSecret(key);
}

/** Enough of a key to tell it from others of its owner: `ipa_x7Kq2m`. */
export function prefixOfKey(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
}
