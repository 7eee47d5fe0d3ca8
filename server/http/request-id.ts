import { randomBytes } from 'node:crypto';

/** Names requests. */
export type RequestIds = (incoming: string | string[] | undefined) => string;

/**
 * The caller's own X-Request-Id where it is short and plain, else one that no other process gives: a random beginning
 * and a count.
 */
export function newRequestIds(): RequestIds {
  const process = randomBytes(6).toString('hex');
  let count = 0;
  return (incoming) =>
    typeof incoming === 'string' && SANE.test(incoming) ? incoming : `${process}-${(++count).toString(36)}`;
}

/** Ids are logged, so a key that was sent as one is none. */
const SANE = /^(?!.*ipa_)[\w.-]{1,64}$/;
