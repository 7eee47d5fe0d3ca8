import { countryNames } from '../../pipeline/release/contract.js';
import { nameIn, type Language } from './language.js';

/** Display names of countries where a record holds only their code. */
export class CountryNames {
  readonly #names = countryNames();

  /** The name of an ISO 3166-1 alpha-2 code; the code itself when nobody has it. */
  nameOf(code: string, language: Language): string {
    return nameIn(language, this.#names.get(code)?.names) ?? code;
  }
}
