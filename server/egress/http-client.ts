import type { IncomingHttpHeaders } from 'node:http';
import type { Deadline } from '../deadline.js';

/** A request to a server on the internet. */
export interface HttpRequest {
  readonly url: URL;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Longer bodies throw UpstreamError. */
  readonly maxBytes: number;
  /** For the whole call, including redirects. */
  readonly deadline: Deadline;
  /** Redirects to follow. With 0, redirects are returned as replies. */
  readonly maxRedirects: number;
  /** Whether `http:` URLs are allowed, also in redirects. `https:` always is. */
  readonly allowPlainHttp?: boolean;
  /** Addresses for the first URL's host if the name servers have none. The guard applies to them too. */
  readonly fallbackAddresses?: readonly string[];
}

/** A reply with any status. */
export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The URL that replied, after redirects. */
  readonly url: URL;
  /** The remote address. */
  readonly address: string;
  readonly httpVersion: '1.1' | '2';
}

/**
 * HTTP client for the public internet. Resolves every host, also of redirects, once with our stub resolver, checks the
 * addresses with the guard and connects to the address. TLS verifies the host name. Uses HTTP/2 if the server offers
 * it.
 */
export interface HttpClient {
  /** Sends a request and follows redirects. Throws UpstreamError without a reply within the limits. */
  request(request: HttpRequest): Promise<HttpReply>;
  close(): Promise<void>;
}
