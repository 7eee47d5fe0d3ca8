import type { Download, PublishedFile } from '../../input/published-source.js';
import type { Family } from '../../net/address.js';
import { PRODUCTS, type Product } from './ip2proxy-columns.js';

/** The product, edition and family in a file name. */
export interface ProductFile {
  readonly product: Product;
  readonly isCommercial: boolean;
  /** The IPv6 file repeats IPv4 in ::ffff:0:0/96. */
  readonly family: Family;
}

/** The parts that PX3 to PX12 add to the file name, one each. */
const ADDED = [
  'REGION-CITY',
  'ISP',
  'DOMAIN',
  'USAGETYPE',
  'ASN',
  'LASTSEEN',
  'THREAT',
  'RESIDENTIAL',
  'PROVIDER',
  'FRAUDSCORE',
] as const;

/** The product with the most columns that a free account can download. Files of paid accounts are provided by hand. */
const DOWNLOADED: Product = 12;

const PRODUCT_FILES: readonly ProductFile[] = PRODUCTS.flatMap((product) =>
  [false, true].flatMap((isCommercial) =>
    ([4, 6] as const).map((family) => ({ product, isCommercial, family })),
  ),
);

const BY_NAME: ReadonlyMap<string, ProductFile> = new Map(
  PRODUCT_FILES.flatMap((file) => namesOf(file).map((name) => [name, file] as const)),
);

/** Every file name of the publisher as its own file: a pattern with `*` would be refused when its rows shrink. */
export const IP2PROXY_FILES: readonly PublishedFile[] = [...BY_NAME].map(([name, file]) => ({
  folder: 'ip2proxy',
  name,
  container: name.endsWith('.ZIP') ? 'zip' : 'plain',
  required: false,
  take: 'all',
  // The commercial editions have the most rows of all lists.
  maxUnpackedBytes: 4_000_000_000,
  alternatives: [...BY_NAME].flatMap(([other, { family }]) =>
    other !== name && family === file.family ? [other] : [],
  ),
  ...(isDownloaded(name, file) && { download: downloadOf(file, name) }),
}));

/** Returns product, edition and family for the name of a declared file. Returns undefined for other names. */
export function productFileOf(name: string): ProductFile | undefined {
  return BY_NAME.get(name);
}

/** Returns the names on the website (ranges or prefixes, packed or not) and the name of the download script. */
function namesOf({ product, isCommercial, family }: ProductFile): string[] {
  const lite = isCommercial ? '' : 'LITE-';
  const stem = `IP2PROXY-${lite}PX${product}${family === 6 ? '.IPV6' : ''}`;
  return [
    `${stem}.CSV.ZIP`,
    `${stem}.CSV`,
    `${stem}.CIDR.ZIP`,
    `${stem}.CIDR.CSV`,
    `PX${product}-${lite}${family === 6 ? 'IPV6' : 'IP'}-${contentOf(product)}.ZIP`,
  ];
}

function contentOf(product: Product): string {
  return product === 1 ? 'COUNTRY' : ['PROXYTYPE', 'COUNTRY', ...ADDED.slice(0, product - 2)].join('-');
}

function isDownloaded(name: string, { product, isCommercial }: ProductFile): boolean {
  return product === DOWNLOADED && !isCommercial && name.endsWith('.CSV.ZIP');
}

function downloadOf({ product, family }: ProductFile, saveAs: string): Download {
  const code = `PX${product}LITECSV${family === 6 ? 'IPV6' : ''}`;
  return {
    url: `https://www.ip2location.com/download?token={IP2LOCATION_TOKEN}&code=${code}`,
    saveAs,
    minBytes: 5_000_000,
  };
}
