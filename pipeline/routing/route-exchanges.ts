import { present } from '../mmdb/present.js';
import { map } from '../mmdb/schema.js';
import { parsePrefix } from '../net/prefix.js';
import type { PeeringDb, PeeringPlace } from '../registry/registries.js';
import { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';

/** The record schema of the exchange with the address in its peering LAN (`bgp.ix` in the API). */
export const EXCHANGE_SCHEMA = map({ id: 'uint32', name: 'string', city: 'string', country: 'string' });

/** Peering LANs; record ids of the table are positions in `exchanges`. */
export interface ExchangeNetworks {
  readonly table: FlatTable;
  readonly exchanges: readonly PeeringPlace[];
}

/** Returns the peering LANs of the exchanges. LANs of unlisted exchanges are ignored. */
export function exchangeNetworks(peeringDb: PeeringDb | undefined): ExchangeNetworks {
  if (!peeringDb) return { table: FlatTable.empty(), exchanges: [] };
  // Records may have only the keys of the schema.
  const exchanges = peeringDb.exchanges.map(({ id, name, city, country }) =>
    present({ id, name, city, country }),
  );
  const positions = new Map(exchanges.map(({ id }, position) => [id, position]));
  const table = new PrefixTable();
  for (const { exchange, prefix: text } of peeringDb.exchangePrefixes) {
    const position = positions.get(exchange);
    const prefix = parsePrefix(text);
    if (position !== undefined && prefix) table.insert(prefix.address, prefix.length, position);
  }
  return { table: table.flatten(), exchanges };
}
