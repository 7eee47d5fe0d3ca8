import type { OpenFile } from '../../input/published-source.js';
import { Tally } from '../../input/tally.js';
import { parseAddress, type Address } from '../../net/address.js';
import { ListRows, type ListTable } from '../collect-list.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { reserved } from './list-trial.js';

/** A list of one layer without a reader: tests insert the rows. */
const ROW_LIST: List = {
  id: 'rows',
  publisher: 'none',
  licence: { name: 'none', url: 'https://example.net/', terms: 'free' },
  files: [],
  cadence: 'never',
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 1,
  layers: ['only'],
  combine: onlyLayer,
  read: () => Promise.resolve(),
};

export interface CollectedRows extends ListTable {
  readonly tally: Tally;
}

/** Collects the rows that `fill` inserts, without IANA's reserved space. */
export function collectRows(fill: (sink: ListSink) => void, options: Partial<List> = {}): CollectedRows {
  const rows = new ListRows({ ...ROW_LIST, ...options }, reserved);
  const tally = new Tally();
  fill(rows.sinkFor(ROW_FILE, tally));
  return { ...rows.finish(), tally };
}

const ROW_FILE: OpenFile = {
  id: 'rows/file',
  folder: 'rows',
  name: 'file',
  container: 'plain',
  path: '',
  sizeBytes: 0,
  maxUnpackedBytes: Infinity,
  onRead: () => undefined,
};

/** Parses a valid address. */
export function addressOf(text: string): Address {
  return parseAddress(text)!.address;
}
