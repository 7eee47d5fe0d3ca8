import type { RoutingSource } from '../input/routing-source.js';
import { feedReader } from './feed-reader.js';
import { listReader } from './list-reader.js';
import { listById } from '../lists/catalogue.js';
import { readReserved } from './read-reserved.js';
import type { Reader } from './reader.js';
import { feedById, routingSourceById } from '../snapshot/sources.js';

/** Returns the reader of a feed, a routing source or a list. Throws for an unknown id. */
export function readerOf(id: string): Reader {
  const list = listById(id);
  if (list) return listReader(list);
  const source = routingSourceById(id);
  return source ? sourceReader(source) : feedReader(feedById(id));
}

function sourceReader(source: RoutingSource): Reader {
  return {
    source,
    normalise: async (files, context) => {
      if (source.cutsReserved === true) {
        const { reserved, own } = await readReserved(files, context.tallyOf);
        await source.normalise(own, { ...context, reserved });
      } else {
        await source.normalise(files, context);
      }
      return undefined;
    },
  };
}
