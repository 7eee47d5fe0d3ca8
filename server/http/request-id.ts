import { randomBytes } from 'node:crypto';

/** Returns the id of a request with this X-Request-Id header. */
export type RequestIds = (incoming: string | string[] | undefined) => string;

/**
 * Returns the function that assigns request ids: the caller's X-Request-Id if it is short and plain, otherwise a random
 * prefix of this process and a counter.
 */
export function newRequestIds(): RequestIds {
  const process = randomBytes(6).toString('hex');
  let count = 0;
  return (incoming) =>
    typeof incoming === 'string' && SANE.test(incoming) ? incoming : `${process}-${(++count).toString(36)}`;
}

/** Ids are logged, so an API key or a node's token is not accepted as one. */
const SANE = /^(?!.*ip[an]_)[\w.-]{1,64}$/i;
