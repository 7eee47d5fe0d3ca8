/**
 * Why a file could not be downloaded. `http`: a status that is no answer, 503 among them. `throttled`: asked too often (429).
 * `network`: no connection. `timeout`: silence, or too slow for the time there is. `truncated`: the body ended early.
 * `redirects`: too many of them. `insecure`: a way without TLS. `container`, `small`, `large`, `sha256`, `md5`: not the
 * file that is expected. `name`: nothing says what it is called.
 */
export type Failure =
  | 'http'
  | 'throttled'
  | 'network'
  | 'timeout'
  | 'truncated'
  | 'redirects'
  | 'insecure'
  | 'container'
  | 'small'
  | 'large'
  | 'sha256'
  | 'md5'
  | 'name';

/** A download that failed; what was kept before stays. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** It may be gone in a moment: worth another try. */
  readonly mayPass: boolean;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly failure: Failure,
    /** What happened, in words; free of secrets unless the server put them there. */
    readonly found: string,
    options: ErrorOptions & { readonly mayPass?: boolean; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(`${failure}: ${found}`, options);
    this.mayPass = options.mayPass ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}
