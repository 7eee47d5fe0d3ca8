/** A carrier whose networks are met under many names. */
export interface Carrier {
  /** What lists of prefixes call it. */
  readonly id: string;
  readonly en: string;
  /** As it calls itself (中国电信). */
  readonly zh: string;
  /** As people say (电信). */
  readonly short: string;
  /** Further whole texts of Chinese feeds that mean it. */
  readonly spellings: readonly string[];
  /** What its networks and companies are called in Latin letters, by AS names, registries and lists. */
  readonly names: RegExp;
  /** Networks that are its own though their names may be missing, or say an address instead. */
  readonly asns: readonly number[];
}
