import { readCsvRows } from '../feeds/csv-rows.js';
import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import { readUnpacked } from '../feeds/unpacked-file.js';
import type { ListSink } from '../lists/list.js';
import { hostingClaim } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';

/**
 * Reads a cloud's networks out of its geofeed (RFC 8805): `prefix,country,region,city,postal`, `#` comments. The city is
 * taken for the name of the cloud's region; nothing in these columns is evidence of where a network is. Throws FeedError
 * `truncated` when there is no row, and what `readUnpacked` throws.
 */
export async function readGeofeedNetworks(file: OpenFile, sink: ListSink, cloud: string): Promise<void> {
  const networks = new CloudNetworks(sink, (label) => hostingClaim(cloud, label));
  let rows = 0;
  await readCsvRows(
    file,
    readUnpacked(file),
    { delimiter: ',', quote: true },
    {
      row: ([prefix = '', , , city], line) => {
        if (prefix.trimStart().startsWith('#')) return;
        rows++;
        networks.add(prefix.trim(), { region: city?.trim() }, line);
      },
      bad: (reason, line, excerpt) => {
        // Comments may hold anything.
        if (!excerpt.trimStart().startsWith('#')) sink.reject(reason, line, excerpt);
      },
    },
  );
  if (rows === 0) throw new FeedError('truncated', file.id, 'there is no row');
}
