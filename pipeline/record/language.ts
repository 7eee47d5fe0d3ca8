import { countryNames } from '../gazetteer/country-names.js';
import type { Names } from './records.js';

/** Languages of the answers. */
export type Language = 'zh' | 'en';

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
