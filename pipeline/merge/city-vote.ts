import { chordBound, isNear } from './distance.js';
import { SAME_CITY_KM } from './precedence.js';
import type { Statement } from './statement.js';
import { those, vote, type Outcome } from './vote.js';

/** The city that won, and who is behind it. */
export interface ElectedCity {
  /** The statement whose id or text names the city. */
  readonly named: Statement;
  /** Statements of the very same id or text, in the order of precedence. */
  readonly namesakes: readonly Statement[];
  /** Everybody in the winning cluster. */
  readonly cluster: Outcome;
}

/**
 * Elects a city. A candidate's cluster is everybody within SAME_CITY_KM of it or with the same id; the heaviest
 * cluster wins, and in it the heaviest id, or where none has an id the heaviest text. `stated`, if it names a city,
 * wins outright. Texts without coordinates can be compared with nothing: they count only where nobody else does.
 */
export function voteOnCity(pool: readonly Statement[], stated?: Statement): ElectedCity | undefined {
  const naming = those(pool, namesCity);
  const comparable = those(naming, (voter) => voter === stated || isComparable(voter));
  const voters = comparable.length > 0 ? comparable : naming;
  const word = stated && namesCity(stated) ? stated : undefined;
  const cluster = vote(voters, CITY, word);
  if (!cluster) return undefined;
  const withId = those(cluster.winners, ({ cityId }) => cityId !== undefined);
  // A text that is stated outright stays the name, whatever ids lie near it.
  const candidates = word === undefined && withId.length > 0 ? withId : cluster.winners;
  const { winners: namesakes } = vote(candidates, NAME, word)!;
  return { named: word ?? namesakes[0]!, namesakes, cluster };
}

/** Whether a statement's city lies near one of the cities of `others`. */
export function liesNear({ point }: Statement, others: readonly Statement[]): boolean {
  if (point === undefined) return false;
  return others.some((other) => other.point !== undefined && isNear(point, other.point, SAME_CITY));
}

const SAME_CITY = chordBound(SAME_CITY_KM);

const CITY = { level: 'city', agree: isSamePlace } as const;
const NAME = { level: 'city', agree: hasSameName } as const;

function namesCity({ cityId, cityText }: Statement): boolean {
  return cityId !== undefined || cityText !== undefined;
}

function isComparable({ cityId, point }: Statement): boolean {
  return cityId !== undefined || point !== undefined;
}

function isSamePlace(a: Statement, b: Statement): boolean {
  if (a === b || (a.cityId !== undefined && a.cityId === b.cityId)) return true;
  if (a.point !== undefined && b.point !== undefined) return isNear(a.point, b.point, SAME_CITY);
  return hasSameName(a, b);
}

/** Equal texts are one feed's word repeated by another; different ones may mean the same, nobody knows. */
function hasSameName(a: Statement, b: Statement): boolean {
  return a.cityId === b.cityId && a.cityText === b.cityText;
}
