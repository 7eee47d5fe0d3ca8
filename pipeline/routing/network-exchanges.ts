import type { PeeringDb, PeeringPlace } from '../registry/registries.js';
import { present } from '../mmdb/present.js';
import { RowsByNetwork } from './network-numbers.js';

/** An internet exchange in a record. */
export type ExchangeRecord = PeeringPlace;

/** The exchanges of each network. An exchange is the same object in every list. */
export class NetworkExchanges {
  readonly #connections: PeeringDb['connections'];
  readonly #byNetwork: RowsByNetwork;
  readonly #exchanges: ReadonlyMap<number, ExchangeRecord>;

  constructor({ connections, exchanges }: Pick<PeeringDb, 'connections' | 'exchanges'>) {
    this.#connections = connections;
    this.#byNetwork = new RowsByNetwork(
      Uint32Array.from(connections, ({ asn }) => asn),
      Uint32Array.from(connections, (_, row) => row),
    );
    this.#exchanges = new Map(exchanges.map((exchange) => [exchange.id, recordOf(exchange)]));
  }

  /**
   * Returns each exchange of a network once, the fastest first: the speeds of its connections to one exchange are
   * added. Ties are sorted by ascending id. Exchanges that are missing in PeeringDB are omitted.
   */
  exchangesOf(asn: number): readonly ExchangeRecord[] {
    const speeds = new Map<number, number>();
    for (const row of this.#byNetwork.rowsOf(asn)) {
      const { exchange, speed } = this.#connections[row]!;
      speeds.set(exchange, (speeds.get(exchange) ?? 0) + speed);
    }
    return [...speeds]
      .sort(([a, speedOfA], [b, speedOfB]) => speedOfB - speedOfA || a - b)
      .flatMap(([id]) => this.#exchanges.get(id) ?? []);
  }
}

/** Keeps only the fields of the record schema. */
function recordOf({ id, name, city, country }: PeeringPlace): ExchangeRecord {
  return present({ id, name, city, country });
}
