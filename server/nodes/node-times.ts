import type { NodeTimes } from '../config.js';

/** In production. */
export const NODE_TIMES: NodeTimes = {
  heartbeatMs: 3000,
  readyMs: 20_000,
  ackMs: 3000,
  answerMs: 14_000,
  seenMs: 10_000,
  presenceMs: 10_000,
  pollMs: 1000,
  staleMs: 10_000,
};
