import type { Source } from '../feeds/source.js';
import { feedReader } from './feed-reader.js';
import { listReader } from './list-reader.js';
import { listById } from './lists.js';
import type { Reader } from './reader.js';
import { feedById, routingSourceById } from './sources.js';

/** The reader of a feed, a routing source or a list. Throws for an id that none has. */
export function readerOf(id: string): Reader {
  const list = listById(id);
  if (list) return listReader(list);
  const source = routingSourceById(id);
  return source ? sourceReader(source) : feedReader(feedById(id));
}

function sourceReader(source: Source): Reader {
  const { id, publisher, licence, version, tolerance } = source;
  return {
    id,
    publisher,
    licence,
    version,
    tolerance,
    normalise: async (files, reading) => {
      await source.normalise(files, reading);
      return undefined;
    },
  };
}
