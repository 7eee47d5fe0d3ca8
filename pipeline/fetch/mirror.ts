/**
 * A server that stands for all publishers: `https://mirror/<publisher's host>/<path>` for `https://<host>/<path>`.
 * URLs keep their publisher's host in everything that is decided, told and kept; only the request goes elsewhere.
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
      throw new MirrorError('must be scheme, host and port alone');
    }
    this.#origin = parsed.origin;
  }

  /** Where to ask for a publisher's URL. */
  wireUrl(url: URL): URL {
    return url.origin === this.#origin
      ? url
      : new URL(`/${url.host}${url.pathname}${url.search}`, this.#origin);
  }

  /** The publisher's URL that a URL of the mirror stands for; any other URL is itself. */
  publisherUrl(wire: URL): URL {
    const [, host, path] = /^\/([^/]+)(\/.*)$/.exec(wire.pathname) ?? [];
    if (wire.origin !== this.#origin || host === undefined) return wire;
    return new URL(`https://${host}${path!}${wire.search}`);
  }
}

/** A mirror's address makes no sense; the message does not repeat it. */
export class MirrorError extends Error {
  override readonly name = 'MirrorError';
}

/** An http URL whose host is this machine. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'http:' && (/^127(\.\d+){3}$/.test(hostname) || ['localhost', '[::1]'].includes(hostname))
  );
}
