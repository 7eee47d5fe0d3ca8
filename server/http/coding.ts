import accepts from 'accepts';
import type { IncomingMessage } from 'node:http';

/** A longer Accept-Encoding counts as absent (decision 72). The negotiator takes more than a millisecond for 15 kB. */
const LONGEST_ACCEPT_ENCODING = 256;

/** Returns the best coding that the caller accepts; undefined for the text itself. */
export function codingFor(req: IncomingMessage): 'br' | 'gzip' | undefined {
  if (acceptsCoding(req, 'br')) return 'br';
  return acceptsCoding(req, 'gzip') ? 'gzip' : undefined;
}

/** Returns whether the caller asks for a coding and accepts it (RFC 9110 §12.5.3). */
export function acceptsCoding(req: IncomingMessage, coding: 'br' | 'gzip'): boolean {
  const accepted = req.headers['accept-encoding'];
  if (accepted === undefined || accepted.length > LONGEST_ACCEPT_ENCODING) return false;
  return accepts(req).encodings(coding) === coding;
}
