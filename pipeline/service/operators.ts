import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT } from '../table/zip.js';
import type { FedNamesTable } from './fed-names.js';
import { holderOf, nameIsp, type Holder, type NameSources } from './isp-names.js';
import type { IspRows } from './isp-rows.js';
import { readIspName } from './isp-spelling.js';
import type { Origin, ServiceVerdict } from './service.js';
import { Texts } from './texts.js';

/** Names the operators of networks; each text, each holder and each distinct combination once. */
export class Operators {
  readonly #origins: readonly Origin[];
  readonly #fed: FedNamesTable;
  readonly #rows: IspRows;
  readonly #holders = new Map<number, Holder>();
  readonly #listed = new Map<string, NameSources['listed']>();
  readonly #texts = new Texts();
  readonly #memo = new TupleMemo(4);
  readonly #tuple = new Int32Array(4);

  constructor(origins: readonly Origin[], fed: FedNamesTable, rows: IspRows) {
    this.#origins = origins;
    this.#fed = fed;
    this.#rows = rows;
  }

  /** The operator's row; the ids may be ABSENT. */
  rowOf(listed: Listed, originId: number, fedId: number): number {
    this.#tuple[0] = this.#texts.numberOf(listed.isp);
    this.#tuple[1] = this.#texts.numberOf(listed.carrier);
    this.#tuple[2] = originId;
    this.#tuple[3] = fedId;
    return this.#memo.resolve(this.#tuple, () => this.#name(listed, originId, fedId));
  }

  #name(listed: Listed, originId: number, fedId: number): number {
    const origin = originId === ABSENT ? undefined : this.#origins[originId];
    const names = nameIsp({
      carrier: listed.carrier,
      listed: listed.isp === undefined ? undefined : this.#read(listed.isp),
      fed: fedId === ABSENT ? undefined : this.#fed.namesOf(fedId),
      holder: origin && this.#holderOf(originId, origin),
    });
    return this.#rows.internOperator(names, origin);
  }

  #read(text: string): NameSources['listed'] {
    let listed = this.#listed.get(text);
    if (!listed) this.#listed.set(text, (listed = { text, isp: readIspName(text) }));
    return listed;
  }

  #holderOf(id: number, origin: Origin): Holder {
    let holder = this.#holders.get(id);
    if (!holder) this.#holders.set(id, (holder = holderOf(origin)));
    return holder;
  }
}

/** ISP and carrier that lists name. */
type Listed = Pick<ServiceVerdict, 'isp' | 'carrier'>;
