import type { Claim } from '../input/claims/claim.js';
import type { ColumnsRead } from '../input/claims/columns-read.js';
import { readGz } from '../input/containers/containers.js';
import { columnsByName, type ColumnIndexes } from '../input/rows/csv-rows.js';
import type { Feed } from './feed.js';
import type { OpenFile, PublishedFile } from '../input/published-source.js';
import { namesNoCountry, parseCountry } from '../input/names/iso3166.js';
import { readNetworkRows, type RowLayout } from '../input/rows/network-rows.js';
import { presentText } from '../input/names/stated-region.js';

/** The file of the feed. The routing source `ipinfo-asn` reads its AS columns. */
export const IPINFO_LITE: PublishedFile = {
  folder: 'ipinfo',
  name: 'ipinfo_lite.csv.gz',
  container: 'gz',
  required: true,
  take: 'all',
  maxUnpackedBytes: 4_000_000_000,
  download: {
    url: 'https://ipinfo.io/data/ipinfo_lite.csv.gz?token={IPINFO_TOKEN}',
    minBytes: 5_000_000,
  },
};

/**
 * IPinfo Lite (https://ipinfo.io/developers/ipinfo-lite-database): country and announcing AS of networks of both
 * families in one file. The column `country`, an English name, is not read.
 */
export const ipinfo: Feed = {
  id: 'ipinfo',
  publisher: 'IPinfo',
  licence: {
    name: 'CC BY-SA 4.0',
    url: 'https://creativecommons.org/licenses/by-sa/4.0/',
    attribution: "<a href='https://ipinfo.io'>IP address data powered by IPinfo</a>",
    terms: 'share-alike',
  },
  files: [IPINFO_LITE],
  cadence: 'daily',
  version: 1,
  tolerance: 0.01,
  foldMapped: true,
  layers: ['country'],
  combine: (claims) => claims[0],
  read: async (files, sinkFor) => {
    for (const file of files) {
      const layoutOf = (first: readonly string[]): RowLayout => layoutIn(file, first);
      await readNetworkRows({ file, bytes: readGz(file), sink: sinkFor(file), layoutOf });
    }
  },
};

/** The columns of the file. */
export const IPINFO_COLUMNS = [
  'network',
  'country',
  'country_code',
  'continent',
  'continent_code',
  'asn',
  'as_name',
  'as_domain',
] as const;

type Columns = ColumnIndexes<(typeof IPINFO_COLUMNS)[number], never>;

function layoutIn(file: OpenFile, first: readonly string[]): RowLayout {
  const at: Columns = columnsByName(first, { of: 'the header', required: IPINFO_COLUMNS }, file);
  return {
    width: first.length,
    hasHeader: true,
    networkColumns: [at.network],
    readNetwork: (head, network) => network.readNetwork(head, at.network),
    claimColumns: [at.country_code, at.asn, at.as_name, at.as_domain],
    readClaim: (fields) => readClaim(fields, at),
  };
}

function readClaim(fields: readonly string[], at: Columns): ColumnsRead {
  const asn = readAsn(fields[at.asn]!);
  if (asn === 'odd') return { refused: 'columns' };
  const code = presentText(fields[at.country_code]) ?? '';
  const country = parseCountry(code);
  if (country === undefined && !namesNoCountry(code)) return { refused: 'country' };
  const asName = presentText(fields[at.as_name]);
  const asDomain = presentText(fields[at.as_domain]);
  const claim: Claim = {
    ...(country !== undefined && { country }),
    ...(asn !== undefined && { asn }),
    ...(asName !== undefined && { asName }),
    ...(asDomain !== undefined && { asDomain }),
  };
  return { claim };
}

const MAX_ASN = 2 ** 32 - 1;

/** Reads `AS` and digits. Returns undefined for an unknown AS, which is empty, a dash or `AS` without digits. */
export function readAsn(text: string): number | 'odd' | undefined {
  if (text === '' || text === '-' || text === 'AS') return undefined;
  if (!/^AS(0|[1-9]\d{0,9})$/.test(text)) return 'odd';
  const asn = Number(text.slice(2));
  return asn <= MAX_ASN ? asn : 'odd';
}
