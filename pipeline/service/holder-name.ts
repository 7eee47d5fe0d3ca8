import type { Origin } from './service.js';

/** Who holds an AS, as records name him. */
export function holderName({ organisation, name }: Origin): string | undefined {
  return organisation ?? name;
}
