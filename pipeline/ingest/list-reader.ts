import { ListRows } from '../lists/collect-list.js';
import { writeList } from '../lists/list-file.js';
import type { List } from '../lists/list.js';
import type { OpenFile } from '../input/published-source.js';
import { readReserved } from './read-reserved.js';
import { writeListDays } from './list-days.js';
import type { Reader, ReaderContext, Written } from './reader.js';

/** Returns the reader of a list. It reads the list's files and IANA's registries into a normalised table. */
export function listReader(list: List): Reader {
  return { source: list, normalise: (files, context) => normaliseList(list, files, context) };
}

async function normaliseList(
  list: List,
  files: readonly OpenFile[],
  { dir, tallyOf, judge, log }: ReaderContext,
): Promise<Written> {
  const { reserved, own } = await readReserved(files, tallyOf);
  const rows = new ListRows(list, reserved);
  await list.read(own, (file) => rows.sinkFor(file, tallyOf(file)), { log });
  judge();
  const said = rows.finish();
  writeList(dir, list.id, said);
  writeListDays(dir, said);
  return { networks: said.table.networkCount() };
}
