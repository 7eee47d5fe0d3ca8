import { StoreError } from './store-error.js';

/** Returns the key. Throws StoreError for a key that is not a plain path, such as `../x` or `a//b`. */
export function checkedKey(store: string, key: string): string {
  if (isPlainKey(key)) return key;
  throw new StoreError(store, `invalid key "${key}": expected names of A-Z a-z 0-9 . _ - separated by "/"`);
}

/** Returns whether a text is a path of plain names. */
export function isPlainKey(key: string): boolean {
  return KEY.test(key);
}

/** Segments do not begin with a dot: names of unfinished files do. */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
