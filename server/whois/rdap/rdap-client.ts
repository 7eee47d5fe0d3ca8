import { deadlineIn, leftOf, type Deadline } from '../../deadline.js';
import type { HttpClient, HttpReply } from '../../egress/http-client.js';
import { UpstreamError } from '../../upstream-error.js';
import type { PerHostLimit } from '../per-host-limit.js';
import { cutRaw } from '../raw-text.js';
import type { RegistryClient } from '../registry-client.js';
import type { Registration, WhoisAnswer, WhoisTarget } from '../whois-record.js';
import type { RdapBootstrap } from './bootstrap.js';
import { registrarUrlOf } from './registrar-link.js';
import { tellsOfRegistrant } from './registrant.js';
import { completedBy, registrationOf } from './registration.js';
import { isAbout } from './right-object.js';
import { fieldOf } from './untrusted-json.js';

/** What RDAP is spoken over. */
export interface RdapParts {
  readonly bootstrap: Pick<RdapBootstrap, 'serversOf'>;
  readonly http: Pick<HttpClient, 'request'>;
  readonly limit: PerHostLimit;
}

/** Asks the registries by RDAP (RFC 9082, RFC 9083): those that IANA's bootstrap files name, one after another. */
export class RdapClient implements RegistryClient {
  constructor(private readonly parts: RdapParts) {}

  async ask(target: WhoisTarget, deadline: Deadline): Promise<WhoisAnswer> {
    const servers = await this.parts.bootstrap.serversOf(target);
    if (!servers) return { kind: 'no-registry' };
    let failure: UpstreamError | undefined;
    for (const [n, server] of servers.entries()) {
      const left = servers.length - n;
      try {
        // Each gets an equal share of what is left, so that a silent one does not use up all of it.
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
      throw new UpstreamError('malformed', `${url.host} answers with something else than it was asked for`);
    }
    const registration = registrationOf(target, { object, raw, hosts: [reply.url.hostname, url.hostname] });
    if (target.kind !== 'domain' || tellsOfRegistrant(object)) return { kind: 'found', registration };
    return {
      kind: 'found',
      registration: await this.#complete(registration, { object, target, reply }, deadline),
    };
  }

  /**
   * A thin registry knows no holder, but links to the registrar, who is asked once. Whatever becomes of that, what the
   * registry said is an answer.
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
      return completedBy(registration, registrationOf(target, { object: linked, raw, hosts: [] }));
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
/** A registrar adds a holder's name at best: not worth a long wait. */
const REGISTRAR_BUDGET_MS = 2500;

/** RFC 9083 §1.1: UTF-8. Bytes that are none become U+FFFD. */
const TEXT = new TextDecoder();

/** RFC 9082 §3.1. */
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

/** A registry passes questions about numbers on to others; that a domain is free only the registry itself can say. */
function absent({ kind }: WhoisTarget, asked: URL, reply: HttpReply, raw: string): WhoisAnswer {
  if (kind === 'domain' && reply.url.hostname !== asked.hostname) {
    throw new UpstreamError('failed', `${asked.host} sends us to ${reply.url.host}, which does not know`);
  }
  return { kind: 'absent', raw: cutRaw(raw) };
}

function refused({ status, url }: HttpReply): UpstreamError {
  return new UpstreamError(status === 429 ? 'rate-limited' : 'failed', `${url.host} answers HTTP ${status}`);
}

function parseJson(text: string, { host }: URL): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UpstreamError('malformed', `${host} answers with what is no JSON`, { cause });
  }
}
