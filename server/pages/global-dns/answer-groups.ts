import type { PlaceAnswer } from './ask-places.js';

/** The places with one answer. */
export interface AnswerGroup {
  /** Counts from 1: in the order of arrival during a run, by size after it. */
  readonly number: number;
  /** Values of the records, sorted; empty for a name without records. */
  readonly values: readonly string[];
  /** Why there is no answer; absent if there is one. */
  readonly error?: string;
  /** Operators of the addresses, without repetition. */
  readonly operators: readonly string[];
  readonly places: PlaceAnswer['place'][];
}

/** Collects answers, and gives equal ones the same group. */
export class AnswerGroups {
  readonly #groups = new Map<string, AnswerGroup>();

  /** All groups, numbered anew: the largest first, and those without an answer last. */
  get ranked(): readonly AnswerGroup[] {
    return [...this.#groups.values()]
      .sort(
        (a, b) =>
          Number(a.error !== undefined) - Number(b.error !== undefined) ||
          b.places.length - a.places.length ||
          a.number - b.number,
      )
      .map((group, i) => ({ ...group, number: i + 1 }));
  }

  /** Adds an answer and returns its group. */
  add({ place, answer }: PlaceAnswer): AnswerGroup {
    const values = answer.records.map(({ type, value }) => `${type} ${value}`).sort();
    const key = JSON.stringify([answer.error ?? answer.rcode, values]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      const operators = answer.records.flatMap((record) =>
        'isp' in record && record.isp !== '' ? [record.isp] : [],
      );
      group = {
        number: this.#groups.size + 1,
        values,
        operators: [...new Set(operators)],
        places: [],
        ...(answer.error !== undefined && { error: answer.error }),
      };
      this.#groups.set(key, group);
    }
    group.places.push(place);
    return group;
  }
}
