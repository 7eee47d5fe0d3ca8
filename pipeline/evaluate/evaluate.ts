import { CONTINENTS } from '../feeds/iso3166.js';
import { formatPrefix } from '../net/prefix.js';
import type { Subject } from './answers.js';
import type { InputSpace, StatedBasis } from './input-space.js';
import { judge, type Judgement } from './judge.js';
import { meanShares, scoreOf, type Score, type Shares } from './score.js';
import type { TruthPlace } from './truth.js';

/** What the sections of an evaluation divide the truth by. */
export const DIVISIONS = ['all', 'addresses', 'family', 'continent', 'operator'] as const;
export type Division = (typeof DIVISIONS)[number];

/** Every subject's score for one part of the truth. */
export interface Section {
  readonly by: Division;
  /** The part, e.g. `IPv6`, `EU` or an operator; `mean` is the average over the operators. */
  readonly of: string;
  /** Places in it. */
  readonly places: number;
  readonly rows: readonly (Shares & Partial<Omit<Score, keyof Shares>> & { readonly subject: string })[];
}

/** How right each subject is. */
export interface Evaluation {
  /** Places that were looked up. */
  readonly places: number;
  /** Places left out because the build read a geofeed or an override there. */
  readonly excluded: Readonly<Record<StatedBasis, number>>;
  readonly sections: readonly Section[];
}

/** What is held against what. */
export interface Trial {
  readonly places: readonly TruthPlace[];
  readonly subjects: readonly Subject[];
  /** What the build itself was told; absent when it read no geofeeds and no overrides. */
  readonly inputSpace: InputSpace | undefined;
  /** Operators by prefix (`formatPrefix`); a place without one is in no operator's section. */
  readonly operators: ReadonlyMap<string, string>;
}

/** Scores every subject over all of the truth and over each part of it. Every place weighs the same. */
export function evaluate({ places, subjects, inputSpace, operators }: Trial): Evaluation {
  const excluded: Record<StatedBasis, number> = { geofeed: 0, override: 0 };
  const judged = places.flatMap((truth): Judged[] => {
    const basis = inputSpace?.basisWithin(truth.prefix);
    if (basis === undefined) return [judgeAll(truth, subjects)];
    excluded[basis]++;
    return [];
  });
  const names = subjects.map(({ name }) => name);
  const sections = [
    sectionOf(names, { by: 'all', of: 'all places', judged }),
    ...addressSections(names, judged),
    ...familySections(names, judged),
    ...continentSections(names, judged),
    ...operatorSections(names, judged, operators),
  ];
  return { places: judged.length, excluded, sections: sections.filter((section) => section.places > 0) };
}

/** One place and every subject's judgement, in the order of the subjects. */
interface Judged {
  readonly truth: TruthPlace;
  readonly judgements: readonly Judgement[];
}

interface Part {
  readonly by: Division;
  readonly of: string;
  readonly judged: readonly Judged[];
}

function judgeAll(truth: TruthPlace, subjects: readonly Subject[]): Judged {
  return { truth, judgements: subjects.map(({ answerAt }) => judge(truth, answerAt(truth.address))) };
}

function sectionOf(
  names: readonly string[],
  { by, of, judged }: Part,
  weightOf: (truth: TruthPlace) => number = () => 1,
): Section & { readonly rows: readonly (Score & { readonly subject: string })[] } {
  const rows = names.map((subject, index) => ({
    subject,
    ...scoreOf(
      judged.map(({ truth, judgements }) => ({ judgement: judgements[index]!, weight: weightOf(truth) })),
    ),
  }));
  return { by, of, places: judged.length, rows };
}

/** Shares of addresses instead of places: IPv4 addresses and IPv6 /64s cannot be added up. */
function addressSections(names: readonly string[], judged: readonly Judged[]): Section[] {
  return ([4, 6] as const).map((family) => {
    const of = family === 4 ? 'IPv4 addresses' : 'IPv6 /64s';
    const part = judged.filter(({ truth }) => truth.family === family);
    return sectionOf(names, { by: 'addresses', of, judged: part }, ({ weight }) => weight);
  });
}

function familySections(names: readonly string[], judged: readonly Judged[]): Section[] {
  return ([4, 6] as const).map((family) =>
    sectionOf(names, {
      by: 'family',
      of: `IPv${family}`,
      judged: judged.filter(({ truth }) => truth.family === family),
    }),
  );
}

function continentSections(names: readonly string[], judged: readonly Judged[]): Section[] {
  return CONTINENTS.map((continent) =>
    sectionOf(names, {
      by: 'continent',
      of: continent,
      judged: judged.filter(({ truth }) => truth.continent === continent),
    }),
  );
}

/** The average over the operators, then each of them, the largest first. */
function operatorSections(
  names: readonly string[],
  judged: readonly Judged[],
  operators: ReadonlyMap<string, string>,
): Section[] {
  const parts = new Map<string, Judged[]>();
  for (const one of judged) {
    const operator = operators.get(formatPrefix(one.truth.prefix.address, one.truth.prefix.length));
    if (operator === undefined) continue;
    const part = parts.get(operator);
    if (part) part.push(one);
    else parts.set(operator, [one]);
  }
  const sections = [...parts]
    .map(([of, part]) => sectionOf(names, { by: 'operator', of, judged: part }))
    .sort((a, b) => b.places - a.places || (a.of < b.of ? -1 : 1));
  const rows = names.map((subject, index) => ({
    subject,
    ...meanShares(sections.map((section) => section.rows[index]!)),
  }));
  const places = sections.reduce((sum, section) => sum + section.places, 0);
  return [{ by: 'operator', of: `mean of ${sections.length} operators`, places, rows }, ...sections];
}
