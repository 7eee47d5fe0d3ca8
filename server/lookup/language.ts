import { z } from 'zod';
import { countryNames } from '../../pipeline/release/contract.js';
import type { Names } from '../release/records.js';

/** Languages of the answers. */
export type Language = 'zh' | 'en';

/**
 * The `lang` parameter. Only the primary subtag counts (RFC 5646), in any case. All but English is Chinese (decision
 * 15).
 */
export const languageSchema = z
  .string()
  .optional()
  .transform(languageOf)
  .describe('`zh` or `en`; `zh` for all other values');

/** Parses a `lang` parameter. */
export function languageOf(text: string | undefined): Language {
  if (text === undefined) return 'zh';
  return text === 'en' || /^en(?:[-_]|$)/i.test(text) ? 'en' : 'zh';
}

/** Returns the name in a language, otherwise in the other one; undefined without any. */
export function nameIn(language: Language, names: Names | undefined): string | undefined {
  if (names === undefined) return undefined;
  return language === 'zh' ? (names['zh-CN'] ?? names.en) : (names.en ?? names['zh-CN']);
}

/** Display names of countries, for records that hold only a code. */
export class CountryNames {
  readonly #names = countryNames();

  /** Returns the name of an ISO 3166-1 alpha-2 code, or the code itself when it is unknown. */
  nameOf(code: string, language: Language): string {
    return nameIn(language, this.#names.get(code)?.names) ?? code;
  }
}
