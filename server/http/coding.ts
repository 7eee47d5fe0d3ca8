import type { Context } from 'koa';

/** A longer Accept-Encoding counts as absent (decision 72). The negotiator takes more than a millisecond for 15 kB. */
const LONGEST_ACCEPT_ENCODING = 256;

/** Returns the best coding that the caller accepts; undefined for the text itself. */
export function codingFor(ctx: Context): 'br' | 'gzip' | undefined {
  const accepted = ctx.req.headers['accept-encoding'];
  if (accepted === undefined || accepted.length > LONGEST_ACCEPT_ENCODING) return undefined;
  if (ctx.acceptsEncodings('br') === 'br') return 'br';
  return ctx.acceptsEncodings('gzip') === 'gzip' ? 'gzip' : undefined;
}
