import { foldName } from './place-name.js';

/** A name in Latin letters and a Chinese name of the same place. */
export interface NamePair {
  readonly country: string;
  readonly en: string;
  readonly zh: string;
}

/**
 * Distinguishes transliterations (斯劳 for Slough) from dictionary words (泥沼). Learns from pairs of names, most of which
 * are transliterations, which Latin letters a Chinese character begins or ends with.
 */
export class Transliterations {
  readonly #sounds = new Map<string, Sounds>();
  readonly #learned = new Set<string>();

  /** Learns a pair of names once, however many places have them. */
  learn({ en, zh }: NamePair): void {
    const letters = foldName(en);
    const pair = `${letters} ${zh}`;
    if (this.#learned.has(pair)) return;
    this.#learned.add(pair);
    const characters = zh.match(HAN) ?? [];
    const first = characters[0];
    const last = characters.at(-1);
    if (first === undefined || last === undefined) return;
    this.#soundsOf(first).add(letters.slice(0, 1), 1);
    this.#soundsOf(last).add(letters.replace(FINAL_VOWELS, '').slice(-2), FINAL_WEIGHT);
  }

  /**
   * Whether a Chinese name may be a transliteration: fewer than half of its characters have no sound of the other name.
   * Words for kinds of places (城, 新, 湖, …) are not counted. Without enough pairs every name is possible.
   */
  isPossible({ country, en, zh }: NamePair): boolean {
    if (HAN_NAMES.has(country) || this.#learned.size < LEAST_LEARNED) return true;
    const letters = foldName(en);
    const characters = (zh.match(HAN) ?? []).filter((one) => !COMMON_WORDS.includes(one));
    const foreign = characters.filter((one) => this.#sounds.get(one)?.isIn(letters) !== true);
    return foreign.length === 0 || foreign.length < characters.length / 2;
  }

  #soundsOf(character: string): Sounds {
    let sounds = this.#sounds.get(character);
    if (sounds === undefined) this.#sounds.set(character, (sounds = new Sounds()));
    return sounds;
  }
}

/** How often a character stands for each Latin letter. */
class Sounds {
  #total = 0;
  readonly #counts = new Map<string, number>();

  add(letters: string, weight: number): void {
    for (const letter of new Set(letters.match(/[a-z]/g))) {
      this.#counts.set(letter, (this.#counts.get(letter) ?? 0) + 1);
    }
    this.#total += weight;
  }

  /** Whether some letter is a usual sound of the character. */
  isIn(letters: string): boolean {
    for (const [letter, count] of this.#counts) {
      const isUsual = count >= LEAST_PAIRS && count >= this.#total * LEAST_SHARE;
      if (isUsual && letters.includes(letter)) return true;
    }
    return false;
  }
}

/** The minimum pairs to judge names by. */
const LEAST_LEARNED = 1000;
/** The minimum pairs with a sound. Fewer may be dictionary words. */
const LEAST_PAIRS = 3;
/** The minimum share of a character's pairs with a sound. */
const LEAST_SHARE = 0.03;
/** The weight of the end of a name, which may be a word for a kind of place. */
const FINAL_WEIGHT = 0.5;

const HAN = /\p{Script=Han}/gu;
const FINAL_VOWELS = /[aeiou]+$/;
const COMMON_WORDS = '市城镇县区港岛河山湖角湾村谷泉堡州省新圣大小上下东西南北中老旧路桥海滩峰林';

/** Countries of which many places have established Chinese names that are not transliterations. */
const HAN_NAMES: ReadonlySet<string> = new Set('BN CN HK ID JP KH KP KR LA MM MO MY SG TH TW VN'.split(' '));
