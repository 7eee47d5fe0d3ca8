import { ListRows } from '../lists/collect-list.js';
import { writeList } from '../lists/list-file.js';
import type { List } from '../lists/list.js';
import type { OpenFile } from '../feeds/feed.js';
import { readReserved } from './read-reserved.js';
import { writeListDays } from './list-days.js';
import type { Reader, Reading, Written } from './reader.js';

/** Reads a list's files, and IANA's registries with them, into its normalised table. */
export function listReader(list: List): Reader {
  const { id, publisher, licence, version, tolerance, maxAgeDays } = list;
  return {
    id,
    publisher,
    licence,
    version,
    tolerance,
    maxAgeDays,
    normalise: (files, reading) => normaliseList(list, files, reading),
  };
}

async function normaliseList(
  list: List,
  files: readonly OpenFile[],
  { dir, tallyOf, judge, log }: Reading,
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
