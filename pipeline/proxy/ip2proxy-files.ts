import type { Download, FeedFile } from '../feeds/feed.js';
import type { Family } from '../net/address.js';
import { PRODUCTS, type Product } from './ip2proxy-columns.js';

/** What a file's name tells. */
export interface ProductFile {
  readonly product: Product;
  readonly isCommercial: boolean;
  /** The IPv6 file repeats the IPv4 one behind ::ffff:0:0/96. */
  readonly family: Family;
}

/** Words that the names of PX3 to PX12 add, one each. */
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

/**
 * The richest product that a free account may download. What a paid account may is put into the folder by whoever
 * pays for it.
 */
const DOWNLOADED: Product = 12;

const PRODUCT_FILES: readonly ProductFile[] = PRODUCTS.flatMap((product) =>
  [false, true].flatMap((isCommercial) =>
    ([4, 6] as const).map((family) => ({ product, isCommercial, family })),
  ),
);

const BY_NAME: ReadonlyMap<string, ProductFile> = new Map(
  PRODUCT_FILES.flatMap((file) => namesOf(file).map((name) => [name, file] as const)),
);

/** Every name that the publisher gives the file of a product, each by itself: a family with a `*` may shrink. */
export const IP2PROXY_FILES: readonly FeedFile[] = [...BY_NAME].map(([name, file]) => ({
  folder: 'ip2proxy',
  name,
  container: name.endsWith('.ZIP') ? 'zip' : 'plain',
  required: false,
  take: 'all',
  alternatives: [...BY_NAME].flatMap(([other, { family }]) =>
    other !== name && family === file.family ? [other] : [],
  ),
  ...(isDownloaded(name, file) && { download: downloadOf(file, name) }),
}));

/** What the name of a declared file tells; absent for other names. */
export function productFileOf(name: string): ProductFile | undefined {
  return BY_NAME.get(name);
}

/** As the website names it, with ranges and with prefixes, packed and unpacked, and as the download script does. */
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
