import { readCsvRows } from '../../input/rows/csv-rows.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { readUnpacked } from '../../input/containers/unpacked-file.js';
import type { ListSink } from '../list.js';
import { hostingClaim } from './cloud-list.js';
import { CloudNetworks } from './cloud-networks.js';

/**
 * Reads the networks of a cloud from its geofeed (RFC 8805): `prefix,country,region,city,postal`, `#` comments. The
 * city is used as the cloud's region; the location columns are not evidence of a location. Throws FeedError `truncated`
 * when there are no rows, and the errors of `readUnpacked`.
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
        // Comments may have stray quotes and bytes that are not UTF-8.
        if (!excerpt.trimStart().startsWith('#')) sink.reject(reason, line, excerpt);
      },
    },
  );
  if (rows === 0) throw new FeedError('truncated', file.id, 'no rows');
}
