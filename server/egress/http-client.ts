import type { IncomingHttpHeaders } from 'node:http';
import type { Deadline } from '../deadline.js';

/** A request to somebody else's server. */
export interface HttpRequest {
  readonly url: URL;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** A longer body is an UpstreamError. */
  readonly maxBytes: number;
  /** Of everything, redirects included. */
  readonly deadline: Deadline;
  /** 0 hands redirects back as they are. */
  readonly maxRedirects: number;
  /** Whether `http:` is taken, here and where it sends us; `https:` always is. */
  readonly allowPlainHttp?: boolean;
  /** Addresses to connect to where the name servers do not know the first URL's host; guarded all the same. */
  readonly fallbackAddresses?: readonly string[];
}

/** What came back, whatever its status. */
export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Where it came from in the end. */
  readonly url: URL;
  /** The address that was connected to. */
  readonly address: string;
  readonly httpVersion: '1.1' | '2';
}

/**
 * HTTP to the public internet: every host, of redirects too, is resolved once by our stub, held against the guard, and
 * connected to by its address; TLS keeps the name. HTTP/2 where the server speaks it.
 */
export interface HttpClient {
  /** Throws UpstreamError for whatever is no answer within the limits. */
  request(request: HttpRequest): Promise<HttpReply>;
  close(): Promise<void>;
}
