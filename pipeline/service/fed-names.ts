import type { FlatTable } from '../table/flat-table.js';
import { relabel } from '../table/relabel.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT, zip } from '../table/zip.js';
import { readIspName, type SpelledIsp } from './isp-spelling.js';
import type { FedNames } from './isp-names.js';
import type { IspTable } from './service.js';

/** Feeds that write the full name of the AS: theirs come before other names in Latin letters. */
const NAMES_THE_AS: ReadonlySet<string> = new Set(['ipinfo']);

/**
 * What all feeds of ISPs come to, as one table. Each is first brought down to the names it distinguishes, because
 * places are of no concern here: five million networks then become some hundred thousand.
 */
export class FedNamesTable {
  readonly table: FlatTable;
  readonly #spellings = new Spellings();
  readonly #choices = new TupleMemo(FIELDS);
  readonly #choice = new Int32Array(FIELDS);

  constructor(isps: readonly IspTable[]) {
    const namesTheAs = isps.map(({ feed }) => NAMES_THE_AS.has(feed));
    const tables = isps.map((isp) => this.#bringDown(isp));
    this.table = zip(tables, (ids) => this.#choose(ids, namesTheAs));
  }

  /** The names of a network, by its record id in the table. */
  namesOf(id: number): FedNames {
    const { spellings } = this.#spellings;
    return {
      local: spellings[this.#choices.at(id, LOCAL)],
      english: spellings[this.#choices.at(id, ENGLISH)],
      spelled: spellings[this.#choices.at(id, SPELLED)],
    };
  }

  #bringDown({ table, isps }: IspTable): FlatTable {
    return relabel(
      table,
      isps.map((text) => this.#spellings.idOf(text)),
    );
  }

  #choose(ids: Int32Array, namesTheAs: readonly boolean[]): number {
    this.#choice.fill(ABSENT);
    for (let feed = 0; feed < ids.length; feed++) {
      const id = ids[feed]!;
      if (id === ABSENT) continue;
      const field = namesTheAs[feed] ? ENGLISH : this.#spellings.isLocal(id) ? LOCAL : SPELLED;
      if (this.#choice[field] === ABSENT) this.#choice[field] = id;
    }
    return this.#choices.number(this.#choice);
  }
}

/** Fields of a choice. */
const LOCAL = 0;
const ENGLISH = 1;
const SPELLED = 2;
const FIELDS = 3;

/** What texts name, by id: the texts that mean one carrier share an id. */
class Spellings {
  readonly spellings: SpelledIsp[] = [];
  readonly #byText = new Map<string, number>();
  readonly #byMeaning = new Map<string, number>();

  /** ABSENT for a text that names nobody. */
  idOf(text: string | undefined): number {
    if (text === undefined) return ABSENT;
    let id = this.#byText.get(text);
    if (id === undefined) {
      const isp = readIspName(text);
      id = isp === undefined ? ABSENT : this.#intern(isp);
      this.#byText.set(text, id);
    }
    return id;
  }

  isLocal(id: number): boolean {
    return this.spellings[id]!.kind !== 'latin';
  }

  #intern(isp: SpelledIsp): number {
    const meaning = isp.kind === 'carrier' ? `carrier ${isp.carrier.id}` : `${isp.kind} ${isp.text}`;
    const held = this.#byMeaning.get(meaning);
    if (held !== undefined) return held;
    const id = this.spellings.push(isp) - 1;
    this.#byMeaning.set(meaning, id);
    return id;
  }
}
