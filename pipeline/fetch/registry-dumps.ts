import type { PublishedFile } from '../input/published-source.js';
import { DUMP_BYTES } from '../input/registrations/read-references.js';

/** The folder of the dumps below the downloads. Their references are extracted; no source reads them. */
export const DUMP_FOLDER = 'whois-dumps';

/** The registrations of the registries that publish them: RIPE NCC, APNIC and AFRINIC. */
export const REGISTRY_DUMPS: readonly PublishedFile[] = [
  dump('https://ftp.ripe.net/ripe/dbase/split/ripe.db.inetnum.gz', 50_000_000),
  dump('https://ftp.ripe.net/ripe/dbase/split/ripe.db.inet6num.gz', 5_000_000),
  dump('https://ftp.apnic.net/apnic/whois/apnic.db.inetnum.gz', 10_000_000),
  dump('https://ftp.apnic.net/apnic/whois/apnic.db.inet6num.gz', 500_000),
  dump('https://ftp.afrinic.net/pub/dbase/afrinic.db.gz', 1_000_000),
];

function dump(url: string, minBytes: number): PublishedFile {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const file = { folder: DUMP_FOLDER, name, container: 'gz', required: false, take: 'all' } as const;
  return { ...file, maxUnpackedBytes: DUMP_BYTES, download: { url, minBytes } };
}
