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
    this.#tuple[0] = isp;
    this.#tuple[1] = carrier;
    this.#tuple[2] = originId;
    this.#tuple[3] = fedId;
    return this.#memo.resolve(this.#tuple, this.#name);
  }

  /** Names the operator of the tuple at hand. */
  readonly #name = (): number => {
    const [isp, carrier, originId, fedId] = [...this.#tuple] as [number, number, number, number];
    const origin = originId === ABSENT ? undefined : this.#origins[originId];
    const names = nameIsp({
      carrier: this.#rows.texts.textOf(carrier),
      listed: this.#read(isp),
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
