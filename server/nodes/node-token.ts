import { hashOfSecret, isMarkedSecret, newMarkedSecret } from '../accounts/marked-secret.js';

/** What every token begins with, for people and for scanners of leaked secrets. */
const MARK = 'ipn_';

/** A new token: `ipn_` and 38 characters. */
export function newNodeToken(): string {
  return newMarkedSecret(MARK);
}

/** Whether a text could be a token. */
export function isNodeToken(text: string): boolean {
  return isMarkedSecret(MARK, text);
}

/** What is kept of a token. */
export function hashOfToken(token: string): string {
  return hashOfSecret(token);
}
