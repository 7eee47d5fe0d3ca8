/** Codes of the envelope other than 0. `statusOf` gives their HTTP status. */
export type FailureCode = 400 | 401 | 402 | 403 | 404 | 405 | 408 | 413 | 429 | 500 | 502 | 503 | 504;

/** A failed call, answered with `{code, msg, …fields}`. It is not billed. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly code: FailureCode,
    /** For the caller. Contains no internal details. */
    message: string,
    /** Additional keys of the body, such as `credits_required`. */
    readonly fields: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions & {
      /** HTTP status, when it differs from `statusOf(code)`: an unknown route has status 404 (decision 12). */
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ) {
    super(message, options);
    this.status = options?.status ?? statusOf(code);
    this.headers = options?.headers ?? {};
  }

  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the HTTP status of a code: 200 for business errors, the code itself for all others (decision 12). */
export function statusOf(code: FailureCode): number {
  return code === 400 || code === 401 || code === 403 || code === 404 ? 200 : code;
}

/**
 * Returns a 429 with the time at which a limit admits calls again, in its body and in Retry-After. `message` gets the
 * seconds until then.
 */
export function limitExceeded(
  { limit, resetAt }: { readonly limit: number; /** Unix seconds. */ readonly resetAt: number },
  message: (waitSeconds: number) => string,
  headers: Readonly<Record<string, string>> = {},
): Failure {
  const waitSeconds = Math.max(1, Math.ceil(resetAt - Date.now() / 1000));
  const fields = { limit, reset_at: resetAt, reset_iso: new Date(resetAt * 1000).toISOString() };
  return new Failure(429, message(waitSeconds), fields, {
    headers: { 'Retry-After': String(waitSeconds), ...headers },
  });
}
