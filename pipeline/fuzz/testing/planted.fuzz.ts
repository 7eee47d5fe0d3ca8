import type { FuzzTarget } from '../target.js';

/** Files whose first byte plants a fault. A run begins with them, in this order. */
export const PLANTED = ['none', 'crash', 'slow', 'hang', 'growth', 'heap', 'declared'] as const;

class DeclaredError extends Error {}

/** Fails in every way that the bench must notice, and accepts mutants of the first file. */
export function openTarget(): FuzzTarget {
  const seeds = PLANTED.map((name) => ({ name, bytes: Buffer.from(`${name}, planted`) }));
  return {
    seeds,
    run: async ({ name, bytes }) => {
      // Only the whole files fail, so that every number is known.
      const isPlanted = bytes.toString() === `${name}, planted`;
      if (isPlanted) await FAULTS[name as (typeof PLANTED)[number]]();
    },
  };
}

const FAULTS: Readonly<Record<(typeof PLANTED)[number], () => void | Promise<void>>> = {
  none: () => undefined,
  crash: () => {
    throw new TypeError('a planted crash');
  },
  slow: () => {
    const end = performance.now() + 1_200;
    while (performance.now() < end) continue;
  },
  hang: () => {
    for (;;) continue;
  },
  growth: () => {
    Buffer.alloc(250_000_000, 1);
  },
  heap: () => {
    const kept: number[][] = [];
    for (;;) kept.push(new Array<number>(1_000_000).fill(kept.length + 0.5));
  },
  declared: () => {
    try {
      throw new DeclaredError();
    } catch (error) {
      if (!(error instanceof DeclaredError)) throw error;
    }
  },
};
