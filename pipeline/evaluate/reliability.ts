import type { Level } from '../merge/precedence.js';
import { operatorWeights } from './operator-weights.js';

/** An answer on one level: its confidence in percent, and whether it is right. */
export interface Answered {
  readonly operator: string;
  readonly confidence: number;
  readonly isRight: boolean;
}

/** How often answers of about one confidence are right. */
export interface ReliabilityRow {
  /** The lowest confidence of the row in percent; the row ends below `from + 10`. */
  readonly from: number;
  readonly networks: number;
  /** The mean confidence, and the share of right answers, in percent. Operators count as `operatorWeights` says. */
  readonly says: number;
  readonly right: number;
}

/** The reliability of one level. */
export interface Reliability {
  readonly level: Level;
  readonly rows: readonly ReliabilityRow[];
  /**
   * The calibration error: the mean difference between confidence and share of right answers, in percentage points.
   * Absent without answers.
   */
  readonly error?: number;
  /** The same if every network counts the same. */
  readonly errorOfNetworks?: number;
}

/** Compares the confidences of one level with the shares of right answers, in rows of ten percentage points. */
export function reliabilityOf(level: Level, answers: readonly Answered[]): Reliability {
  const counts = new Map<string, number>();
  for (const { operator } of answers) counts.set(operator, (counts.get(operator) ?? 0) + 1);
  const weigh = operatorWeights([counts]);
  const weights = new Map([...counts.keys()].map((operator) => [operator, weigh(new Map([[operator, 1]]))]));
  const weighed = tally(answers, ({ operator }) => weights.get(operator)!);
  const plain = tally(answers, () => 1);
  if (answers.length === 0) return { level, rows: [] };
  return {
    level,
    rows: weighed.map(({ from, weight, says, right }, index) => ({
      from,
      networks: plain[index]!.weight,
      says: rounded(says / weight),
      right: rounded(right / weight),
    })),
    error: rounded(errorOf(weighed)),
    errorOfNetworks: rounded(errorOf(plain)),
  };
}

/** Sums over the answers of one row; `says` and `right` in percent. */
interface Sums {
  readonly from: number;
  weight: number;
  says: number;
  right: number;
}

/** Returns the sums of the rows with answers, ascending. */
function tally(answers: readonly Answered[], weightOf: (answer: Answered) => number): Sums[] {
  const rows = new Map<number, Sums>();
  for (const answer of answers) {
    const from = Math.min(90, Math.floor(answer.confidence / 10) * 10);
    const row = rows.get(from) ?? { from, weight: 0, says: 0, right: 0 };
    rows.set(from, row);
    const weight = weightOf(answer);
    row.weight += weight;
    row.says += weight * answer.confidence;
    if (answer.isRight) row.right += 100 * weight;
  }
  return [...rows.values()].sort((a, b) => a.from - b.from);
}

function errorOf(rows: readonly Sums[]): number {
  const difference = rows.reduce((sum, { says, right }) => sum + Math.abs(says - right), 0);
  return difference / rows.reduce((sum, { weight }) => sum + weight, 0);
}

/** Rounds to hundredths of a percentage point. */
function rounded(percent: number): number {
  return Math.round(100 * percent) / 100;
}
