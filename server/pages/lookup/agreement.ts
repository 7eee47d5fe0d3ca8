import type { IpRecord, SourceVerdict } from '../../lookup/ip-record-schema.js';

/** The levels of a place, the largest area first. */
export const LEVELS = ['country', 'region', 'city'] as const satisfies readonly (keyof SourceVerdict)[];

export type Level = (typeof LEVELS)[number];

/** The names that are compared. */
type Names = Pick<IpRecord, Level>;

/** How a verdict compares with the answer: `further` where only the verdict states the level, `silent` where it does not. */
export type Agreement = 'agrees' | 'differs' | 'further' | 'silent';

/** A verdict with its agreement at each level. */
export interface ComparedVerdict extends SourceVerdict {
  readonly agreement: Readonly<Record<Level, Agreement>>;
}

/** A verdict and the answer in one language. */
export interface Pair {
  readonly verdict: Names;
  readonly answer: Names;
}

/** Compares a verdict with the answer in all languages: some databases have Chinese names only. Equal in one is equal. */
export function compare(pairs: readonly Pair[]): ComparedVerdict['agreement'] {
  const at = (level: Level): Agreement => {
    const all = pairs.map((pair) => agreementAt(level, pair));
    return all.includes('agrees') ? 'agrees' : all[0]!;
  };
  return { country: at('country'), region: at('region'), city: at('city') };
}

function agreementAt(level: Level, { verdict, answer }: Pair): Agreement {
  if (verdict[level] === '') return 'silent';
  if (answer[level] === '') return 'further';
  return verdict[level] === answer[level] ? 'agrees' : 'differs';
}

/** Returns whether a verdict differs from the answer at any level. */
export function isDifferent({ agreement }: Pick<ComparedVerdict, 'agreement'>): boolean {
  return LEVELS.some((level) => agreement[level] === 'differs');
}

/** How many verdicts state a level of the answer, and how many of them agree. */
export interface AgreementCount {
  readonly level: Level;
  readonly agreeing: number;
  readonly stating: number;
}

/** Counts the agreement at each level that the answer and a verdict state. */
export function countAgreement(verdicts: readonly Pick<ComparedVerdict, 'agreement'>[]): AgreementCount[] {
  return LEVELS.flatMap((level) => {
    const count = (kind: Agreement): number =>
      verdicts.filter(({ agreement }) => agreement[level] === kind).length;
    const agreeing = count('agrees');
    const stating = agreeing + count('differs');
    return stating === 0 ? [] : [{ level, agreeing, stating }];
  });
}
