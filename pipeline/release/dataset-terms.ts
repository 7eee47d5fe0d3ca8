import type { Terms } from '../input/published-source.js';

/** A source of a file with its licence. */
export interface LicensedSource {
  readonly id: string;
  readonly licence: { readonly terms: Terms; readonly attribution?: string | undefined };
}

/** The strictest terms of all sources of a file, and their distinct attribution lines. */
export interface FileTerms {
  readonly terms: Terms;
  readonly attributions: readonly string[];
}

/** Returns the terms of a file that combines these sources. */
export function termsOfFile(sources: readonly LicensedSource[]): FileTerms {
  const found = sources.map(({ licence }) => licence.terms);
  const lines = sources.flatMap(({ licence }) => licence.attribution ?? []);
  return {
    terms: STRICTEST_FIRST.find((terms) => found.includes(terms)) ?? 'free',
    attributions: [...new Set(lines)],
  };
}

/**
 * Returns why these sources may not share one downloadable file; absent when they may. A share-alike licence passes on
 * all rights, which closed terms forbid.
 */
export function conflictOfTerms(sources: readonly LicensedSource[]): string | undefined {
  const of = (terms: Terms): string[] =>
    sources.filter(({ licence }) => licence.terms === terms).map(({ id }) => id);
  const [closed, shared] = [of('closed'), of('share-alike')];
  if (closed.length === 0 || shared.length === 0) return undefined;
  return `${closed.join(', ')} (no redistribution) and ${shared.join(', ')} (share-alike) must not be combined in one file`;
}

const STRICTEST_FIRST: readonly Terms[] = ['closed', 'unstated', 'share-alike', 'free'];
