import { ABSENT } from '../table/zip.js';

/** Texts by number, so that records can stand in columns of integers: equal texts have one number, ABSENT is none. */
export class Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  numberOf(text: string | undefined): number {
    if (text === undefined) return ABSENT;
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  textOf(number: number): string | undefined {
    return number === ABSENT ? undefined : this.#texts[number];
  }
}
