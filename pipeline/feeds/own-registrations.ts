import type { ClaimSink } from './feed.js';
import { namesNoCountry, parseCountry } from './iso3166.js';

/** A country code that stands for no country (`EU`, `ZZ`, empty): the row says nothing. */
export const NO_COUNTRY = -1;

/**
 * Claims of registry and whois rows, which say a country and nothing else: one claim per code, made at its first
 * sight.
 */
export class RegistrationClaims {
  readonly #sink: ClaimSink;
  readonly #ids = new Map<string, number>();

  constructor(sink: ClaimSink) {
    this.#sink = sink;
  }

  /** The claim id for a code as written, NO_COUNTRY, or absent when there is no such country. */
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
