import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { ByteText } from '../byte-text.js';

/** The result of a successful call. */
export type Answer =
  | { readonly kind: 'json'; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** A body that is already JSON. */
  | { readonly kind: 'encoded'; readonly json: ByteText }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'page';
      /** A whole HTML document. */
      readonly html: string;
      /** They replace those of all pages with the same name. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'stream';
      /** 200, 206, 303, 304 or 416; 303, 304 and 416 have no stream. */
      readonly status: number;
      readonly headers: OutgoingHttpHeaders;
      readonly stream?: Readable;
      /** Whether the stream may be compressed: each chunk is then flushed. */
      readonly isCompressible?: true;
      /** What the request has called by name, for the log. */
      readonly tool?: string;
      /** Called when the answer breaks off before a byte of it was written to the caller's socket. */
      readonly unsent?: () => void;
    };

/** Returns the answer `{code: 0, data}`. */
export function ok(data: unknown): Answer {
  return { kind: 'json', body: { code: 0, data } };
}

/** Returns the answer `{code: 0, data}` for data that is already JSON. */
export function okEncoded(data: ByteText): Answer {
  return { kind: 'encoded', json: `{"code":0,"data":${data}}` as ByteText };
}

/** A body without the envelope, for the endpoints that `server/api.md` lists as exceptions. */
export function bare(body: unknown): Answer {
  return { kind: 'json', body };
}

/** Returns an answer without the envelope from a body that is already JSON. */
export function bareEncoded(json: ByteText): Answer {
  return { kind: 'encoded', json };
}

/** Returns an answer as an HTML document. */
export function page(html: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: 'page', html, headers };
}

/** Returns the answer 304 to a caller that has the document. */
export function notModified(headers: Readonly<Record<string, string>>): Answer {
  return { kind: 'stream', status: 304, headers };
}

/** Returns a redirection (303) to a path of this server. */
export function seeOther(path: string): Answer {
  return { kind: 'stream', status: 303, headers: { Location: path } };
}

/** Returns an answer as text/plain. */
export function text(value: string): Answer {
  return { kind: 'text', text: value };
}
