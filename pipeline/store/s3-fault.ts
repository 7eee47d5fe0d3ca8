import { PreconditionError, StoreError } from './store-error.js';
import { TransientError } from './transient-error.js';

/** The fields of the errors of the SDK and of Node's sockets. */
interface Fault {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: unknown };
  readonly $retryable?: unknown;
}

/** Returns the status of the response that an error describes; undefined without a response. */
export function statusOf(error: unknown): number | undefined {
  const status = (error as Fault | undefined)?.$metadata?.httpStatusCode;
  return typeof status === 'number' ? status : undefined;
}

/**
 * Returns an error of the SDK as an error of the store. What may pass: no or a torn connection, a time limit, 5xx, 429 and
 * 409 (two conditional writes at once). What does not: 403, missing credentials, a missing bucket, a wrong request.
 */
export function s3Fault(where: string, error: unknown): Error {
  if (error instanceof StoreError || error instanceof TransientError) return error;
  const status = statusOf(error);
  if (status === 412) return new PreconditionError(where, { cause: error });
  const found = describe(error, status);
  return isPassing(error, status)
    ? new TransientError(`${where}: ${found}`, { cause: error })
    : new StoreError(where, found, { cause: error });
}

function isPassing(error: unknown, status: number | undefined): boolean {
  const { name, code, $retryable } = error as Fault;
  if (CREDENTIALS.includes(name)) return false;
  if (status !== undefined && status >= 300)
    return status >= 500 || status === 429 || status === 409 || status === 408 || THROTTLED.includes(name);
  return $retryable !== undefined || PASSING.includes(code) || PASSING.includes(name) || status === 200;
}

const CREDENTIALS: readonly unknown[] = ['CredentialsProviderError', 'TokenProviderError'];
/** Answered with 400 by some services. */
const THROTTLED: readonly unknown[] = [
  'RequestTimeout',
  'SlowDown',
  'RequestTimeTooSkewed',
  'ThrottlingException',
];
const PASSING: readonly unknown[] = [
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ETIMEDOUT',
  'TimeoutError',
];

function describe(error: unknown, status: number | undefined): string {
  const { name, code, message } = error as Fault;
  const text = [code ?? name, message].filter((part) => typeof part === 'string' && part !== '').join(': ');
  if (status === 403) return `access denied (${text})`;
  if (name === 'NoSuchBucket') return 'no such bucket';
  return status === undefined || status < 300 ? text : `HTTP ${status}: ${text}`;
}
