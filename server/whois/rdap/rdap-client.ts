import { deadlineIn, leftOf, type Deadline } from '../../deadline.js';
import type { HttpClient, HttpReply } from '../../egress/http-client.js';
import { UpstreamError } from '../../upstream-error.js';
import type { PerHostLimit } from '../per-host-limit.js';
import { cutRaw } from '../raw-text.js';
import {
  fillFromRegistrar,
  type Registration,
  type WhoisAnswer,
  type WhoisClient,
  type WhoisTarget,
} from '../whois-record.js';
import type { RdapBootstrap } from './bootstrap.js';
import { registrarUrlOf } from './server-urls.js';
import { hasRegistrantField } from './entities.js';
import { registrationOf } from './registration.js';
import { isAbout } from './right-object.js';
import { fieldOf } from './untrusted-json.js';

/** What an RDAP client needs. */
export interface RdapParts {
  readonly bootstrap: Pick<RdapBootstrap, 'serversOf'>;
  readonly http: Pick<HttpClient, 'request'>;
  readonly limit: PerHostLimit;
}

/** Queries RDAP servers (RFC 9082, RFC 9083): those in IANA's bootstrap files, in turn. */
export class RdapClient implements WhoisClient {
  constructor(private readonly parts: RdapParts) {}

  async ask(target: WhoisTarget, deadline: Deadline): Promise<WhoisAnswer> {
    const servers = await this.parts.bootstrap.serversOf(target);
    if (!servers) return { kind: 'no-server' };
    let failure: UpstreamError | undefined;
    for (const [n, server] of servers.entries()) {
      const left = servers.length - n;
      try {
        // Each server gets an equal share of the time left, so that a silent one does not use all of it.
        return await this.#askServer(server, target, deadlineIn(leftOf(deadline) / left));
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        failure = error;
      }
    }
    throw failure ?? new UpstreamError('unreachable', 'no RDAP server is listed');
  }

  async #askServer(server: URL, target: WhoisTarget, deadline: Deadline): Promise<WhoisAnswer> {
    const url = new URL(pathOf(target), server);
    const reply = await this.#get(url, deadline);
    const raw = TEXT.decode(reply.body);
    if (reply.status === 404) return absent(target, url, reply, raw);
    if (reply.status !== 200) throw refused(reply);
    const object = parseJson(raw, url);
    if (fieldOf(object, 'errorCode') === 404) return absent(target, url, reply, raw);
    if (!isAbout(object, target)) {
      throw new UpstreamError('malformed', `${url.host} returned an object that is not about the query`);
    }
    const registration = registrationOf(target, { object, raw, hosts: [reply.url.hostname, url.hostname] });
    if (target.kind !== 'domain' || hasRegistrantField(object)) return { kind: 'found', registration };
    return {
      kind: 'found',
      registration: await this.#complete(registration, { object, target, reply }, deadline),
    };
  }

  /**
   * Adds the registrar's data. A thin domain registry has no holder but links to the registrar, which gets one query.
   * If that fails, the registry's answer is returned unchanged.
   */
  async #complete(
    registration: Registration,
    { object, target, reply }: { object: unknown; target: WhoisTarget; reply: HttpReply },
    deadline: Deadline,
  ): Promise<Registration> {
    const url = registrarUrlOf(object, reply.url);
    if (!url) return registration;
    try {
      const answer = await this.#get(url, deadlineIn(REGISTRAR_BUDGET_MS, deadline));
      const raw = TEXT.decode(answer.body);
      const linked = answer.status === 200 ? parseJson(raw, url) : undefined;
      if (!isAbout(linked, target)) return registration;
      return fillFromRegistrar(registration, registrationOf(target, { object: linked, raw, hosts: [] }));
    } catch (error) {
      if (error instanceof UpstreamError) return registration;
      throw error;
    }
  }

  #get(url: URL, deadline: Deadline): Promise<HttpReply> {
    return this.parts.limit.run(url.hostname, deadline, () =>
      this.parts.http.request({
        url,
        headers: { Accept: 'application/rdap+json, application/json;q=0.9' },
        maxBytes: MAX_BYTES,
        maxRedirects: MAX_REDIRECTS,
        allowPlainHttp: url.protocol === 'http:',
        deadline,
      }),
    );
  }
}

const MAX_BYTES = 1_000_000;
const MAX_REDIRECTS = 4;
/** Short, because a registrar adds the holder's name at most. */
const REGISTRAR_BUDGET_MS = 2500;

/** RFC 9083 §1.1 requires UTF-8. Invalid bytes become U+FFFD. */
const TEXT = new TextDecoder();

/** Returns the path of a query (RFC 9082 §3.1). */
function pathOf(target: WhoisTarget): string {
  switch (target.kind) {
    case 'domain':
      return `domain/${target.name}`;
    case 'asn':
      return `autnum/${target.asn}`;
    case 'ip':
      return target.length === undefined ? `ip/${target.ip}` : `ip/${target.ip}/${target.length}`;
  }
}

/**
 * RIRs redirect queries about numbers to each other. For a domain only its own registry's server can report absence.
 */
function absent({ kind }: WhoisTarget, asked: URL, reply: HttpReply, raw: string): WhoisAnswer {
  if (kind === 'domain' && reply.url.hostname !== asked.hostname) {
    throw new UpstreamError('failed', `${asked.host} redirects to ${reply.url.host}, which returned 404`);
  }
  return { kind: 'absent', raw: cutRaw(raw) };
}

function refused({ status, url }: HttpReply): UpstreamError {
  return new UpstreamError(
    status === 429 ? 'rate-limited' : 'failed',
    `${url.host} returned HTTP ${status}, expected 200`,
  );
}

function parseJson(text: string, { host }: URL): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UpstreamError('malformed', `${host} returned invalid JSON`, { cause });
  }
}
