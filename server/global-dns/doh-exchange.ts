import type { DohResolver } from '../config.js';
import { deadlineIn, type Deadline } from '../deadline.js';
import type { HttpClient, HttpReply } from '../egress/http-client.js';
import { UpstreamError } from '../upstream-error.js';

/** Sends a DNS message to a resolver over HTTPS (RFC 8484 §4.1); the whole reply, with its status seen to. */
export async function exchangeOverHttps(
  http: Pick<HttpClient, 'request'>,
  { name, url, addresses }: DohResolver,
  { message, deadline }: { readonly message: Uint8Array; readonly deadline: Deadline },
): Promise<HttpReply> {
  const reply = await http.request({
    url: new URL(url),
    method: 'POST',
    headers: { accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE },
    body: message,
    maxBytes: MAX_MESSAGE_BYTES,
    deadline: deadlineIn(DOH_MS, deadline),
    // A resolver that moves is looked after by who keeps the list.
    maxRedirects: 0,
    fallbackAddresses: addresses,
  });
  if (reply.status === 429) throw new UpstreamError('rate-limited', `${name} has enough of us`);
  if (reply.status !== 200) throw new UpstreamError('failed', `${name} answers HTTP ${reply.status}`);
  const [type] = (reply.headers['content-type'] ?? '').split(';');
  if (type!.trim().toLowerCase() !== MEDIA_TYPE)
    throw new UpstreamError('malformed', `${name} answers no DNS message`);
  return reply;
}

const MEDIA_TYPE = 'application/dns-message';
const MAX_MESSAGE_BYTES = 65_535;
const DOH_MS = 5000;
