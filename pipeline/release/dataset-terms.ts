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
 * Returns the description of a file with its terms and attributions, by language. They are part of the file, so they
 * travel with every copy of it.
 */
export function describeTerms(
  description: Readonly<Record<string, string>>,
  { terms, attributions }: FileTerms,
): Record<string, string> {
  const described = Object.entries(description).map(([language, text]) => {
    const words = language === 'zh-CN' ? CHINESE : ENGLISH;
    const lines = attributions.length === 0 ? [] : [`${words.attribution}${attributions.join('; ')}`];
    return [language, [text, `${words.terms}${words[terms]}`, ...lines].join(words.stop)];
  });
  return Object.fromEntries(described) as Record<string, string>;
}

/** Raised with every change to the text of `describeTerms`, which is part of the bytes of a file. */
export const DESCRIPTION_VERSION = 1;

const ENGLISH: Readonly<Record<Terms | 'terms' | 'attribution' | 'stop', string>> = {
  stop: '. ',
  terms: 'Terms: ',
  attribution: 'Attribution: ',
  free: 'may be redistributed with its attribution',
  'share-alike': 'may be redistributed with its attribution and under the same licence',
  unstated: 'must not be redistributed, because a source states no licence',
  closed: 'must not be redistributed, because the licence of a source forbids it',
};

const CHINESE: typeof ENGLISH = {
  stop: '。',
  terms: '使用条款：',
  attribution: '署名：',
  free: '注明来源即可再分发',
  'share-alike': '注明来源并采用相同许可即可再分发',
  unstated: '不得再分发，因为有来源未声明许可',
  closed: '不得再分发，因为有来源的许可禁止再分发',
};

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
