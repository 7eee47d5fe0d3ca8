import { IPINFO_COLUMNS, IPINFO_LITE, ipinfo, readAsn } from '../feeds/ipinfo.js';
import { readGz } from '../input/containers/containers.js';
import type { OpenFile } from '../input/published-source.js';
import type { RoutingSource } from '../input/routing-source.js';
import { columnsByName } from '../input/rows/csv-rows.js';
import { readNetworkRows, type RowLayout } from '../input/rows/network-rows.js';
import { normaliseObservedAses, readObservedAs, type ObservedClaim } from './observed-ases.js';

const ID = 'ipinfo-asn';

/**
 * The AS columns of IPinfo Lite (https://ipinfo.io/developers/ipinfo-lite-database), whose countries the feed `ipinfo`
 * reads from the same file.
 */
export const IPINFO_ASN: RoutingSource = {
  id: ID,
  publisher: ipinfo.publisher,
  licence: ipinfo.licence,
  files: [IPINFO_LITE],
  cadence: ipinfo.cadence,
  version: 1,
  tolerance: 0.01,
  cutsReserved: true,
  normalise: (files, context) =>
    normaliseObservedAses(
      files,
      { ...context, source: ID, options: { foldMapped: true } },
      async (file, sink) => {
        const layoutOf = (first: readonly string[]): RowLayout<ObservedClaim> => layoutIn(file, first);
        await readNetworkRows({ file, bytes: readGz(file), sink, layoutOf });
      },
    ),
};

function layoutIn(file: OpenFile, first: readonly string[]): RowLayout<ObservedClaim> {
  const at = columnsByName(first, { of: 'the header', required: IPINFO_COLUMNS }, file);
  return {
    width: first.length,
    hasHeader: true,
    networkColumns: [at.network],
    readNetwork: (head, network) => network.readNetwork(head, at.network),
    claimColumns: [at.asn, at.as_name, at.as_domain],
    readClaim: (fields) =>
      readObservedAs(readAsn(fields[at.asn]!), {
        organisation: fields[at.as_name],
        domain: fields[at.as_domain],
      }),
  };
}
