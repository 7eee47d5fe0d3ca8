import { REGISTERED_COUNTRY_PRECEDENCE } from './precedence.js';
import type { ResolvedClaim } from './resolved-claim.js';

/** Returns the registered country of a network, from the first feed of REGISTERED_COUNTRY_PRECEDENCE that gives it. */
export function registeredCountryOf(claims: readonly ResolvedClaim[]): string | undefined {
  for (const feed of REGISTERED_COUNTRY_PRECEDENCE) {
    const country = claims.find(({ weight }) => weight.feed === feed)?.registeredCountry;
    if (country !== undefined) return country;
  }
  return undefined;
}

/**
 * Returns the countries in which a network is registered: those of its delegation and its whois block, the registered
 * country in GeoLite2, and the country of any other claim on the basis of a registration. They may differ.
 */
export function registrationsOf(claims: readonly ResolvedClaim[]): readonly string[] {
  const countries: string[] = [];
  for (const { weight, country, registeredCountry } of claims) {
    if (registeredCountry !== undefined && REGISTERED_COUNTRY_PRECEDENCE.includes(weight.feed)) {
      countries.push(registeredCountry);
    }
    if (country !== undefined && weight.basis === 'registration') countries.push(country);
  }
  return countries;
}
