import type { DohResolver } from '../config.js';
import { deadlineIn, type Deadline } from '../deadline.js';
import type { HttpClient, HttpReply } from '../egress/http-client.js';
import { UpstreamError } from '../upstream-error.js';

/** Sends a DNS message to a resolver over HTTPS (RFC 8484 §4.1). Checks status and media type of the reply. */
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
    // A resolver that redirects has moved: the configured list needs an update.
    maxRedirects: 0,
    fallbackAddresses: addresses,
  });
  if (reply.status === 429) throw new UpstreamError('rate-limited', `${name} rate-limited us (HTTP 429)`);
  if (reply.status !== 200)
    throw new UpstreamError('failed', `${name} returned HTTP ${reply.status}, expected 200`);
  const [type] = (reply.headers['content-type'] ?? '').split(';');
  if (type!.trim().toLowerCase() !== MEDIA_TYPE)
    throw new UpstreamError('malformed', `${name} returned content type "${type!}", expected ${MEDIA_TYPE}`);
  return reply;
}

const MEDIA_TYPE = 'application/dns-message';
const MAX_MESSAGE_BYTES = 65_535;
const DOH_MS = 5000;
