import { REGISTERED_COUNTRY_PRECEDENCE } from './precedence.js';
import type { ResolvedClaim } from './resolved-claim.js';

/** Returns the registered country of a network, from the first feed of REGISTERED_COUNTRY_PRECEDENCE that gives it. */
export function registeredCountryOf(claims: readonly ResolvedClaim[]): string | undefined {
  for (const feed of REGISTERED_COUNTRY_PRECEDENCE) {
    for (const { weight, registeredCountry } of claims) {
      if (registeredCountry !== undefined && weight.feed === feed) return registeredCountry;
    }
  }
  return undefined;
}

/**
 * Returns the countries in which a network is registered: its registered country, that of its whois block, and the
 * country of any other claim on the basis of a registration. They may differ. The registered country in GeoLite2 is not
 * added to that of a delegation: GeoLite2 repeats its own country in it wherever it names no place.
 */
export function registrationsOf(claims: readonly ResolvedClaim[]): readonly string[] {
  const countries: string[] = [];
  const registeredCountry = registeredCountryOf(claims);
  if (registeredCountry !== undefined) countries.push(registeredCountry);
  for (const { weight, country } of claims) {
    if (country !== undefined && weight.basis === 'registration') countries.push(country);
  }
  return countries;
}
