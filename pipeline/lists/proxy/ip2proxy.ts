import { readPlain } from '../../input/containers/containers.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { readNetworkRows, type RowLayout } from '../../input/rows/network-rows.js';
import { withZip } from '../../input/containers/zip-archive.js';
import { csvEntryOf } from '../../input/containers/csv-entry.js';
import { onlyLayer, type List, type ListContext, type ListSink } from '../list.js';
import type { ListClaim } from '../list-claim.js';
import { chooseFiles, dateFile, type DatedFile } from './ip2proxy-choice.js';
import { columnCount, RowClaims } from './ip2proxy-columns.js';
import { IP2PROXY_FILES, productFileOf } from './ip2proxy-files.js';

/**
 * IP2Proxy PX1 to PX12, LITE and commercial (https://www.ip2location.com/database/ip2proxy,
 * https://lite.ip2location.com): ranges as decimal integers, or prefixes, without a header. `-` means unknown. One file
 * is read per family. Rows of PX1 have no column that a claim uses and are counted as `unknown`.
 */
export const IP2PROXY: List = {
  id: 'ip2proxy',
  publisher: 'IP2Location',
  licence: {
    name: 'CC BY-SA 4.0',
    url: 'https://creativecommons.org/licenses/by-sa/4.0/',
    attribution:
      'This site or product includes IP2Proxy LITE data available from https://lite.ip2location.com',
    terms: 'share-alike',
  },
  files: IP2PROXY_FILES,
  cadence: 'daily, from 00:15 UTC',
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 60,
  layers: ['row'],
  combine: onlyLayer,
  read,
};

async function read(
  files: readonly OpenFile[],
  sinkFor: (file: OpenFile) => ListSink,
  { log }: ListContext,
): Promise<void> {
  const { chosen, left } = chooseFiles(await dateFiles(files));
  for (const { unread, instead } of left) {
    // Every file needs a sink. Without being read, the file counts no rows.
    sinkFor(unread.file);
    log(`${unread.file.id} is not read: ${instead.file.id} is ${betterBy(instead, unread)}`);
  }
  for (const dated of chosen) {
    if (dated.is.product === 1) log(`${dated.file.id} has no proxy types: its rows are counted as unknown`);
    await readProduct(dated, sinkFor(dated.file));
  }
  if (!chosen.some(({ is }) => is.family === 4))
    log('no IPv4 file: IPv4-mapped rows of the IPv6 file are dropped');
}

async function dateFiles(files: readonly OpenFile[]): Promise<DatedFile[]> {
  const dated: DatedFile[] = [];
  for (const file of files) {
    const is = productFileOf(file.name);
    if (is === undefined)
      throw new FeedError('header', file.id, 'unknown file name: expected the name of a product PX1 to PX12');
    dated.push(await dateFile(file, is));
  }
  return dated;
}

function betterBy(one: DatedFile, other: DatedFile): string {
  if (one.is.isCommercial !== other.is.isCommercial) return one.is.isCommercial ? 'commercial' : 'newer';
  if (one.day !== other.day) return other.day === undefined ? 'dated' : 'newer';
  return one.is.product === other.is.product ? 'the same product' : 'a product with more columns';
}

async function readProduct(dated: DatedFile, sink: ListSink): Promise<void> {
  const { file } = dated;
  const layoutOf = (first: readonly string[]): RowLayout<ListClaim> => layoutIn(dated, first);
  const readRows = (bytes: AsyncIterable<Buffer>): Promise<void> =>
    readNetworkRows({ file, bytes, sink, layoutOf });
  if (file.container === 'zip') await withZip(file, (zip) => readRows(zip.read(csvEntryOf(file, zip))));
  else await readRows(wholeRows(file));
}

/** Yields the bytes of a plain file. Throws FeedError `truncated` when the last row has no line end. */
async function* wholeRows(file: OpenFile): AsyncGenerator<Buffer, void, undefined> {
  let last: number | undefined;
  for await (const chunk of readPlain(file)) {
    last = chunk.at(-1);
    yield chunk;
  }
  if (last !== LF) throw new FeedError('truncated', file.id, 'the last row has no line end');
}

const LF = 10;

/** Returns the layout for rows of ranges or prefixes. Throws FeedError `header` when the product has other columns. */
function layoutIn({ file, is, day }: DatedFile, first: readonly string[]): RowLayout<ListClaim> {
  const { product, isCommercial, family } = is;
  const isRange = /^\d+$/.test(first[0]!);
  const from = isRange ? 2 : 1;
  const width = from + columnCount(product);
  if (first.length !== width || !(isRange || /^[\da-f.:]+\/\d+$/i.test(first[0]!))) {
    const begin = JSON.stringify(first[0]!.slice(0, 40));
    const found = `${first.length} columns, the first is ${begin}`;
    throw new FeedError('header', file.id, `${found}: expected ${width} columns for PX${product}`);
  }
  const claims = new RowClaims({ product, isCommercial, day }, from);
  return {
    width,
    hasHeader: false,
    family,
    networkColumns: isRange ? [0, 1] : [0],
    readNetwork: (head, network) =>
      isRange ? network.readDecimalEnds(head, 0, 1) : network.readNetwork(head, 0),
    claimColumns: claims.columns,
    readClaim: (fields) => claims.read(fields),
  };
}
