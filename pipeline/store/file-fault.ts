import { StoreError } from './store-error.js';
import { TransientError } from './transient-error.js';

/** Codes of a network file system that has gone, or of a system that is short of handles. */
const PASSING: readonly unknown[] = [
  'EAGAIN',
  'EBUSY',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOTCONN',
  'ESTALE',
  'ETIMEDOUT',
];

/** Returns the error of a file operation as an error of the store; errors of a store stay. */
export function fileFault(where: string, error: unknown): Error {
  if (error instanceof StoreError || error instanceof TransientError) return error;
  const found = error instanceof Error ? error.message : String(error);
  return PASSING.includes(codeOf(error))
    ? new TransientError(`${where}: ${found}`, { cause: error })
    : new StoreError(where, found, { cause: error });
}

/** Returns whether the error means that a file exists already. */
export function isExisting(error: unknown): boolean {
  return codeOf(error) === 'EEXIST';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
