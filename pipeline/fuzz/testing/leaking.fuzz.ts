import type { FuzzTarget } from '../target.js';

/** Keeps a megabyte of each input. */
export function openTarget(): FuzzTarget {
  const kept: Buffer[] = [];
  return {
    seeds: [{ name: 'a', bytes: Buffer.from('a') }],
    run: () => void kept.push(Buffer.alloc(1_000_000, 1)),
  };
}
