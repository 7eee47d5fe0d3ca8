import { parseHostName } from '../../targets/host-name.js';
import type { WhoisTarget } from '../whois-record.js';
import { namesOtherRir } from './parse-network.js';
import type { Field } from './split-fields.js';

/**
 * Returns the host name of the whois server an answer refers to. Absent without a referral, or if it is not a whois
 * server on our port, such as `rwhois://`.
 */
export function referralIn(
  fields: readonly Field[],
  kind: WhoisTarget['kind'],
  port: number,
): string | undefined {
  const labels = kind === 'domain' ? REGISTRAR_LABELS : NETWORK_LABELS;
  // ARIN names the server closest to the network last.
  const field = fields.findLast(({ label }) => labels.includes(label));
  const named = field && parseWhoisHost(field.value, port);
  if (named !== undefined || kind === 'domain') return named;
  return namesOtherRir(fields) ? 'whois.arin.net' : undefined;
}

/** Parses a host as servers write it: `whois.example.net`, `whois://whois.example.net:43/`. */
export function parseWhoisHost(text: string, port: number): string | undefined {
  const written = text
    .slice(0, MAX_HOST)
    .trim()
    .replace(/^(?:whois|https?):\/\//i, '');
  const authority = written.split(/[/?#\s]/, 1)[0]!;
  const [host = '', portText, ...more] = authority.split(':');
  if (more.length > 0) return undefined;
  if (portText !== undefined && ![WHOIS_PORT, String(port)].includes(portText)) return undefined;
  return parseHostName(host);
}

const REGISTRAR_LABELS = ['registrar whois server', 'whois server'];
const NETWORK_LABELS = ['referralserver', 'refer'];
const MAX_HOST = 300;
const WHOIS_PORT = '43';
