/**
 * Why a download failed. `http`: an error status. `throttled`: HTTP 429. `network`: no connection. `timeout`: no
 * response, or too slow. `truncated`: the body ended early. `redirects`: too many. `insecure`: a URL without TLS,
 * or a host that is not public.
 * `container`, `small`, `large`, `sha256`, `md5`: not the expected file. `name`: no usable file name or link.
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

/** A failed download. The last copy stays. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** Whether the failure may be temporary, so that a retry is useful. */
  readonly mayPass: boolean;
  /** The wait that the server asks for. */
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly failure: Failure,
    /** The failure as text. Free of secrets unless the server sent them. */
    readonly found: string,
    options: ErrorOptions & { readonly mayPass?: boolean; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(`${failure}: ${found}`, options);
    this.mayPass = options.mayPass ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}
