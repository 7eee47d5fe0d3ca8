/** Codes of the envelope besides 0; which HTTP status goes with each is `statusOf`. */
export type FailureCode = 400 | 401 | 402 | 403 | 404 | 405 | 413 | 429 | 500 | 502 | 503 | 504;

/** A call that cannot be answered as asked: `{code, msg, …fields}`. Nothing is billed for it. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly code: FailureCode,
    /** For the caller; says what to do, holds nothing of our insides. */
    message: string,
    /** More keys of the body, such as `credits_required`. */
    readonly fields: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions & {
      /** HTTP status where it is not that of the code: an unknown route is 404 on both sides (ruling 12). */
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

/** Business errors come with HTTP 200 (`api.md`, "Errors"), failures of the infrastructure with their own. */
export function statusOf(code: FailureCode): number {
  return code === 400 || code === 401 || code === 403 || code === 404 ? 200 : code;
}
