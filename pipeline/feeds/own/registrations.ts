import type { ClaimSink } from '../../input/claims/claim-sink.js';
import { namesNoCountry, parseCountry } from '../../input/names/iso3166.js';

/** The result for a code of no single country (`EU`, `ZZ`, empty): the row has no information. */
export const NO_COUNTRY = -1;

/** The claims of registry and whois rows, which have only a country: one claim per code. */
export class RegistrationClaims {
  readonly #sink: ClaimSink;
  readonly #ids = new Map<string, number>();

  constructor(sink: ClaimSink) {
    this.#sink = sink;
  }

  /** Returns the claim id for a code as written, NO_COUNTRY, or undefined for an invalid code. */
  idOf(code: string): number | undefined {
    const held = this.#ids.get(code);
    if (held !== undefined) return held;
    const country = parseCountry(code);
    if (country === undefined) return namesNoCountry(code) ? NO_COUNTRY : undefined;
    const id = this.#sink.intern({ country, basis: 'registration' });
    this.#ids.set(code, id);
    return id;
  }
}
