import { map } from '../mmdb/schema.js';
import { parsePrefix } from '../net/prefix.js';
import type { PeeringDb, PeeringPlace } from '../registry/registries.js';
import { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';

/** The exchange whose peering LAN an address is in (`bgp.ix` of the API). */
export const EXCHANGE_SCHEMA = map({ id: 'uint32', name: 'string', city: 'string', country: 'string' });

/** Peering LANs, and the exchanges that the record ids of the table stand for. */
export interface ExchangeNetworks {
  readonly table: FlatTable;
  readonly exchanges: readonly PeeringPlace[];
}

/** The networks of the exchanges' peering LANs. A LAN of an exchange that is not listed says nothing. */
export function exchangeNetworks(peeringDb: PeeringDb | undefined): ExchangeNetworks {
  if (!peeringDb) return { table: FlatTable.empty(), exchanges: [] };
  // As they are written: no keys but those of the schema.
  const exchanges = peeringDb.exchanges.map(({ id, name, city, country }) => ({
    id,
    name,
    ...(city !== undefined && { city }),
    ...(country !== undefined && { country }),
  }));
  const positions = new Map(exchanges.map(({ id }, position) => [id, position]));
  const table = new PrefixTable();
  for (const { exchange, prefix: text } of peeringDb.exchangePrefixes) {
    const position = positions.get(exchange);
    const prefix = parsePrefix(text);
    if (position !== undefined && prefix) table.insert(prefix.address, prefix.length, position);
  }
  return { table: table.flatten(), exchanges };
}
