import type { FlatTable } from '../table/flat-table.js';
import { relabel } from '../table/relabel.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT, zip } from '../table/zip.js';
import type { IspTable } from './isp-inputs.js';
import { parseIspName, type SpelledIsp } from './spelled-isp.js';

/** The ISP names that the geolocation feeds give one network. */
export interface FeedNames {
  /** By the first feed that names an ISP in Chinese. */
  readonly local: SpelledIsp | undefined;
  /** By the first feed that writes the full name of the AS. */
  readonly english: SpelledIsp | undefined;
  /** A name in Latin letters in a Chinese feed. */
  readonly spelled: SpelledIsp | undefined;
}

/** Feeds that write the full name of the AS; other names in Latin letters rank below it. */
const NAMES_THE_AS: ReadonlySet<string> = new Set(['ipinfo']);

/**
 * The ISP names of all feeds as one table. Each feed's table is first reduced to its distinct ISPs, because its records
 * also differ by place: this turns some five million networks into some hundred thousand.
 */
export class FeedNameTable {
  readonly table: FlatTable;
  readonly #isps = new DistinctIsps();
  /** Distinct combinations of names; the position of one is its record id. */
  readonly #choices = new TupleMemo(WIDTH);
  readonly #choice = new Int32Array(WIDTH);

  constructor(feeds: readonly IspTable[]) {
    const namesTheAs = feeds.map(({ feed }) => NAMES_THE_AS.has(feed));
    const tables = feeds.map((feed) => this.#reduce(feed));
    this.table = zip(tables, (ids) => this.#choose(ids, namesTheAs));
  }

  /** Returns the names behind a record id of the table. */
  namesOf(id: number): FeedNames {
    const { isps } = this.#isps;
    return {
      local: isps[this.#choices.at(id, LOCAL)],
      english: isps[this.#choices.at(id, ENGLISH)],
      spelled: isps[this.#choices.at(id, SPELLED)],
    };
  }

  #reduce({ table, isps }: IspTable): FlatTable {
    return relabel(
      table,
      isps.map((text) => this.#isps.idOf(text)),
    );
  }

  #choose(ids: Int32Array, namesTheAs: readonly boolean[]): number {
    this.#choice.fill(ABSENT);
    for (let feed = 0; feed < ids.length; feed++) {
      const id = ids[feed]!;
      if (id === ABSENT) continue;
      const field = namesTheAs[feed] ? ENGLISH : this.#isps.isLatin(id) ? SPELLED : LOCAL;
      if (this.#choice[field] === ABSENT) this.#choice[field] = id;
    }
    return this.#choices.number(this.#choice);
  }
}

/** Columns of a combination of names. */
const LOCAL = 0;
const ENGLISH = 1;
const SPELLED = 2;
const WIDTH = 3;

/** Distinct ISPs by id. Texts that mean the same carrier share an id. */
class DistinctIsps {
  readonly isps: SpelledIsp[] = [];
  readonly #byText = new Map<string, number>();
  readonly #byMeaning = new Map<string, number>();

  /** Returns the id of the ISP that a text names; ABSENT when it names none. */
  idOf(text: string | undefined): number {
    if (text === undefined) return ABSENT;
    let id = this.#byText.get(text);
    if (id === undefined) {
      const isp = parseIspName(text);
      id = isp === undefined ? ABSENT : this.#intern(isp);
      this.#byText.set(text, id);
    }
    return id;
  }

  isLatin(id: number): boolean {
    return this.isps[id]!.kind === 'latin';
  }

  #intern(isp: SpelledIsp): number {
    const meaning = isp.kind === 'carrier' ? `carrier ${isp.carrier.id}` : `${isp.kind} ${isp.text}`;
    const known = this.#byMeaning.get(meaning);
    if (known !== undefined) return known;
    const id = this.isps.push(isp) - 1;
    this.#byMeaning.set(meaning, id);
    return id;
  }
}
