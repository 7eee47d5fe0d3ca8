import { inserting } from '../../../pipeline/fuzz/mutate.js';
import type { FuzzTarget } from '../../../pipeline/fuzz/target.js';
import { outcomeOf, PIECES } from './testing/outcome.js';
import { DOMAIN_SAMPLES, NETWORK_SAMPLES } from './testing/samples.js';

/** Reads damaged replies of whois servers, as the reply of the server and for the target of the sample. */
export function openTarget(): FuzzTarget {
  const samples = [...DOMAIN_SAMPLES, ...NETWORK_SAMPLES];
  return {
    seeds: samples.map(({ text }, i) => ({ name: String(i), bytes: Buffer.from(text) })),
    mutators: [inserting(PIECES)],
    run: ({ name, bytes }) => {
      outcomeOf(samples[Number(name)]!, bytes);
    },
  };
}
