import { CONTINENTS } from '../input/names/iso3166.js';
import { formatPrefix } from '../net/prefix.js';
import type { Subject } from './answers.js';
import type { InputSpace, StatedBasis } from './input-space.js';
import { judge, type Judgement } from './judge.js';
import { meanShares, scoreOf, type Score, type Shares } from './score.js';
import type { RowRemark, TruthPlace } from './truth.js';

/** The criteria by which the truth is divided into sections. */
export const DIVISIONS = ['all', 'addresses', 'family', 'continent', 'operator'] as const;
/** A criterion by which the truth is divided into sections. */
export type Division = (typeof DIVISIONS)[number];

/** Every subject's score for one part of the truth. */
export interface Section {
  readonly by: Division;
  /** The part, e.g. `IPv6`, `EU` or an operator; `mean` is the average over the operators. */
  readonly of: string;
  /** The number of places in the part. */
  readonly places: number;
  readonly rows: readonly (Shares & Partial<Omit<Score, keyof Shares>> & { readonly subject: string })[];
}

/** The accuracy of each subject. */
export interface Evaluation {
  /** The number of evaluated places. */
  readonly places: number;
  /** The number of places excluded because the build used a statement of the operator or an override there. */
  readonly excluded: Readonly<Record<StatedBasis, number>>;
  /** The rows of these places. */
  readonly excludedRows: readonly RowRemark[];
  readonly sections: readonly Section[];
}

/** The input of an evaluation. */
export interface Trial {
  readonly places: readonly TruthPlace[];
  readonly subjects: readonly Subject[];
  /** The address space of the build's own overrides, geofeeds, clouds and exchanges; undefined if it used none. */
  readonly inputSpace: InputSpace | undefined;
  /** Operators by prefix (`formatPrefix`). A place without an operator is in no operator's section. */
  readonly operators: ReadonlyMap<string, string>;
}

/** Scores every subject over the whole truth and over each part of it. Every place has the same weight. */
export function evaluate({ places, subjects, inputSpace, operators }: Trial): Evaluation {
  const excluded: Record<StatedBasis, number> = { override: 0, geofeed: 0, cloud: 0, exchange: 0 };
  const excludedRows: RowRemark[] = [];
  const judged = places.flatMap((truth): Judged[] => {
    const basis = inputSpace?.basisWithin(truth.prefix);
    if (basis === undefined) return [judgeAll(truth, subjects)];
    excluded[basis]++;
    const { address, length } = truth.prefix;
    excludedRows.push({ reason: basis, line: truth.line, excerpt: formatPrefix(address, length) });
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
  return {
    places: judged.length,
    excluded,
    excludedRows,
    sections: sections.filter((section) => section.places > 0),
  };
}

/** One place with the judgement of every subject, in the order of the subjects. */
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

/**
 * Sections with shares of addresses instead of places, one per family: IPv4 addresses and IPv6 /64s cannot be added.
 */
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

/** Returns the mean over the operators, then each operator, the largest first. */
function operatorSections(
  names: readonly string[],
  judged: readonly Judged[],
  operators: ReadonlyMap<string, string>,
): Section[] {
  const parts = new Map<string, Judged[]>();
  for (const place of judged) {
    const { address, length } = place.truth.prefix;
    const operator = operators.get(formatPrefix(address, length));
    if (operator === undefined) continue;
    const part = parts.get(operator);
    if (part) part.push(place);
    else parts.set(operator, [place]);
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
