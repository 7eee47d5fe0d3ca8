import { BYTE_MUTATORS, mutate } from './mutate.js';
import { Random, seedOf } from './random.js';
import type { FuzzInput, FuzzTarget } from './target.js';

/** The number of an input in a run. */
export interface InputNumber {
  /** The name of the target. */
  readonly target: string;
  readonly seed: number;
  readonly input: number;
}

/** Makes one input. The first inputs are the seeds themselves. */
export function makeInput({ seeds, mutators = [] }: FuzzTarget, number: InputNumber): FuzzInput {
  const whole = seeds[number.input];
  if (whole) return whole;
  const random = new Random(seedOf(number.seed, number.target, number.input));
  const { name, bytes } = random.pick(seeds);
  const chosen = mutators.length > 0 && random.once(2) ? mutators : BYTE_MUTATORS;
  const mixed = random.once(4) ? [...BYTE_MUTATORS, ...mutators] : chosen;
  return { name, bytes: mutate(bytes, mixed, random) };
}
