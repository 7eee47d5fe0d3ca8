import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT } from '../table/zip.js';
import type { FedNamesTable } from './fed-names.js';
import { holderOf, nameIsp, type Holder, type NameSources } from './isp-names.js';
import type { IspRows } from './isp-rows.js';
import { readIspName } from './isp-spelling.js';
import type { Origin } from './service.js';

/** Names the operators of networks; each text, each holder and each distinct combination once. */
export class Operators {
  readonly #origins: readonly Origin[];
  readonly #fed: FedNamesTable;
  readonly #rows: IspRows;
  readonly #holders = new Map<number, Holder>();
  readonly #listed = new Map<number, NameSources['listed']>();
  readonly #memo = new TupleMemo(4);
  readonly #tuple = new Int32Array(4);

  constructor(origins: readonly Origin[], fed: FedNamesTable, rows: IspRows) {
    this.#origins = origins;
    this.#fed = fed;
    this.#rows = rows;
  }

  /** The operator's row: ISP and carrier that lists name, by the numbers of their texts, the origin, what feeds name. */
  rowOf(isp: number, carrier: number, originId: number, fedId: number): number {
    this.#tuple[ISP] = isp;
    this.#tuple[CARRIER] = carrier;
    this.#tuple[ORIGIN] = originId;
    this.#tuple[FED] = fedId;
    return this.#memo.resolve(this.#tuple, this.#name);
  }

  /** Names the operator of the tuple at hand. */
  readonly #name = (): number => {
    const tuple = this.#tuple;
    const originId = tuple[ORIGIN]!;
    const fedId = tuple[FED]!;
    const origin = originId === ABSENT ? undefined : this.#origins[originId];
    const names = nameIsp({
      carrier: this.#rows.texts.textOf(tuple[CARRIER]!),
      listed: this.#read(tuple[ISP]!),
      fed: fedId === ABSENT ? undefined : this.#fed.namesOf(fedId),
      holder: origin && this.#holderOf(originId, origin),
    });
    return this.#rows.internOperator(names, origin);
  };

  #read(number: number): NameSources['listed'] {
    const text = this.#rows.texts.textOf(number);
    if (text === undefined) return undefined;
    let listed = this.#listed.get(number);
    if (!listed) this.#listed.set(number, (listed = { text, isp: readIspName(text) }));
    return listed;
  }

  #holderOf(id: number, origin: Origin): Holder {
    let holder = this.#holders.get(id);
    if (!holder) this.#holders.set(id, (holder = holderOf(origin)));
    return holder;
  }
}

/** What an operator is named from. */
const ISP = 0;
const CARRIER = 1;
const ORIGIN = 2;
const FED = 3;
