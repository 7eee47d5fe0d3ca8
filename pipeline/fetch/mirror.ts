/**
 * A server that replaces all publishers: `https://mirror/<publisher's host>/<path>` for `https://<host>/<path>`.
 * Decisions, messages and state use the publisher's URL; only the request goes to the mirror.
 */
export class Mirror {
  readonly #origin: string;

  /** Throws MirrorError unless `url` is the origin of an https server, or of an http one on this machine. */
  constructor(url: string) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (!parsed || !(parsed.protocol === 'https:' || isLoopback(parsed))) {
      throw new MirrorError('must be an https URL, or an http URL of this machine');
    }
    if (parsed.username !== '' || parsed.password !== '' || parsed.pathname + parsed.search !== '/') {
      throw new MirrorError('must be an origin: only scheme, host and port');
    }
    this.#origin = parsed.origin;
  }

  /** Returns the mirror's URL for a publisher's URL. */
  wireUrl(url: URL): URL {
    return url.origin === this.#origin
      ? url
      : new URL(`/${url.host}${url.pathname}${url.search}`, this.#origin);
  }

  /** Returns the publisher's URL for a URL of the mirror; other URLs are returned unchanged. */
  publisherUrl(wire: URL): URL {
    const [, host, path] = /^\/([^/]+)(\/.*)$/.exec(wire.pathname) ?? [];
    if (wire.origin !== this.#origin || host === undefined) return wire;
    return new URL(`https://${host}${path!}${wire.search}`);
  }
}

/** An invalid address of a mirror. The message does not contain it. */
export class MirrorError extends Error {
  override readonly name = 'MirrorError';
}

/** Returns whether a URL is an http URL of this machine. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'http:' && (/^127(\.\d+){3}$/.test(hostname) || ['localhost', '[::1]'].includes(hostname))
  );
}
