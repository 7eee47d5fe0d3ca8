import { geolite2 } from '../feeds/geolite2/geolite2.js';
import { entryCalled } from '../feeds/geolite2/locations.js';
import type { ClaimSink } from '../input/claims/claim-sink.js';
import { withZip } from '../input/containers/zip-archive.js';
import type { OpenFile, PublishedFile } from '../input/published-source.js';
import type { RoutingSource } from '../input/routing-source.js';
import { columnsByName } from '../input/rows/csv-rows.js';
import { readNetworkRows, type RowLayout } from '../input/rows/network-rows.js';
import type { Family } from '../net/address.js';
import { normaliseObservedAses, readObservedAs, type ObservedClaim } from './observed-ases.js';

const ID = 'geolite2-asn';
const CSV_URL = 'https://download.maxmind.com/geoip/databases/GeoLite2-ASN-CSV/download?suffix=zip';

/** The file of the source (https://dev.maxmind.com/geoip/updating-databases/#directly-downloading-databases). */
const FILE: PublishedFile = {
  folder: ID,
  name: 'GeoLite2-ASN-CSV_*.zip',
  container: 'zip',
  required: true,
  take: 'latest',
  maxUnpackedBytes: 500_000_000,
  download: {
    url: CSV_URL,
    sha256Url: `${CSV_URL}.sha256`,
    basicAuth: ['MAXMIND_ACCOUNT_ID', 'MAXMIND_LICENSE_KEY'],
    minBytes: 2_000_000,
  },
};

/**
 * MaxMind GeoLite2 ASN, CSV edition: a zip with the AS of networks per family
 * (https://dev.maxmind.com/geoip/docs/databases/asn/#csv-databases).
 */
export const GEOLITE2_ASN: RoutingSource = {
  id: ID,
  publisher: geolite2.publisher,
  licence: geolite2.licence,
  files: [FILE],
  cadence: 'daily',
  version: 1,
  tolerance: 0.01,
  cutsReserved: true,
  normalise: (files, context) => normaliseObservedAses(files, { ...context, source: ID }, readSnapshot),
};

async function readSnapshot(file: OpenFile, sink: ClaimSink<ObservedClaim>): Promise<void> {
  await withZip(file, async (zip) => {
    const blocks = ([4, 6] as const).map((family) => ({
      family,
      entry: entryCalled(file, zip, `GeoLite2-ASN-Blocks-IPv${family}.csv`),
    }));
    for (const { family, entry } of blocks) {
      const layoutOf = (first: readonly string[]): RowLayout<ObservedClaim> =>
        layoutIn(file, first, { family, entry });
      await readNetworkRows({ file, bytes: zip.read(entry), sink, layoutOf });
    }
  });
}

const COLUMNS = ['network', 'autonomous_system_number', 'autonomous_system_organization'] as const;

function layoutIn(
  file: OpenFile,
  first: readonly string[],
  { family, entry }: { readonly family: Family; readonly entry: string },
): RowLayout<ObservedClaim> {
  const at = columnsByName(first, { of: entry, required: COLUMNS }, file);
  const [asn, organisation] = [at.autonomous_system_number, at.autonomous_system_organization];
  return {
    width: first.length,
    hasHeader: true,
    family,
    networkColumns: [at.network],
    readNetwork: (head, network) => network.readNetwork(head, at.network),
    claimColumns: [asn, organisation],
    readClaim: (fields) => readObservedAs(parseAsn(fields[asn]!), { organisation: fields[organisation] }),
  };
}

/** Parses an AS number. Returns undefined for an empty field. */
function parseAsn(text: string): number | 'odd' | undefined {
  if (text === '') return undefined;
  return /^\d{1,10}$/.test(text) ? Number(text) : 'odd';
}
