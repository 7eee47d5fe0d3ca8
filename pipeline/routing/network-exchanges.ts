import type { PeeringDb, PeeringPlace } from '../registry/registries.js';
import { RowsByNetwork } from './network-numbers.js';

/** An internet exchange in a record. */
export type ExchangeRecord = PeeringPlace;

/** The exchanges that networks are connected to; an exchange is the same object in every list. */
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
   * Each exchange once, the fastest first: the speeds of a network's connections to one exchange are added up, for
   * that is what it can carry there. Ties by the lower id. Exchanges that PeeringDB does not tell of are left out.
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

/** Only what stands in records. */
function recordOf({ id, name, city, country }: PeeringPlace): ExchangeRecord {
  return { id, name, ...(city !== undefined && { city }), ...(country !== undefined && { country }) };
}
