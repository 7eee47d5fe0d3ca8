import { hashOfSecret, isMarkedSecret, newMarkedSecret } from '../ledger/accounts/marked-secret.js';

/** Prefix of every token, for people and for secret scanners. */
const MARK = 'ipn_';

/** Creates a token: `ipn_` and 38 characters. */
export function newNodeToken(): string {
  return newMarkedSecret(MARK);
}

/** Returns whether a text has the form of a token. */
export function isNodeToken(text: string): boolean {
  return isMarkedSecret(MARK, text);
}

/** Returns the hash that is stored instead of a token. */
export function hashOfToken(token: string): string {
  return hashOfSecret(token);
}
