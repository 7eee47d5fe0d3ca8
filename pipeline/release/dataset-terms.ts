import type { Terms } from '../feeds/feed.js';

/** A publisher's data as it goes into a file: its name, what its licence asks, and the line it wants shown. */
export interface LicensedSource {
  readonly id: string;
  readonly licence: { readonly terms: Terms; readonly attribution?: string | undefined };
}

/** The strictest terms of all sources of a file, and every line of attribution once. */
export interface FileTerms {
  readonly terms: Terms;
  readonly attributions: readonly string[];
}

/** What the licences of these sources ask of a file that is made of all of them. */
export function termsOfFile(sources: readonly LicensedSource[]): FileTerms {
  const found = sources.map(({ licence }) => licence.terms);
  const lines = sources.flatMap(({ licence }) => licence.attribution ?? []);
  return {
    terms: STRICTEST_FIRST.find((terms) => found.includes(terms)) ?? 'free',
    attributions: [...new Set(lines)],
  };
}

/**
 * Why these sources may not go into one file that others download, in words; absent when they may. A share-alike
 * licence hands every right on, which closed terms forbid.
 */
export function conflictOfTerms(sources: readonly LicensedSource[]): string | undefined {
  const of = (terms: Terms): string[] =>
    sources.filter(({ licence }) => licence.terms === terms).map(({ id }) => id);
  const [closed, shared] = [of('closed'), of('share-alike')];
  if (closed.length === 0 || shared.length === 0) return undefined;
  return `${closed.join(', ')} (no redistribution) and ${shared.join(', ')} (share-alike) may not go into one file`;
}

const STRICTEST_FIRST: readonly Terms[] = ['closed', 'unstated', 'share-alike', 'free'];
