import type { List } from '../../lists/list.js';
import { tryFiles, type ListTrial } from '../../lists/testing/list-trial.js';
import type { ListInput } from '../../isp/isp-inputs.js';
import { findFiles } from '../../snapshot/find-files.js';
import { newestDay } from '../../ingest/list-days.js';
import { LISTS } from '../../lists/catalogue.js';

/** A list as an input of the ISP dataset, and the result of reading its files. */
export interface ReadList {
  readonly input: ListInput;
  readonly trial: ListTrial;
  /** `<folder>/<name>` of the files that were read. */
  readonly files: readonly string[];
}

/**
 * Reads the lists of the catalogue that have a file below a folder, or only the lists in `ids`. `day` is the date of
 * all copies, in days since 1970.
 */
export async function readLists(
  root: string,
  { day, ids }: { readonly day: number; readonly ids?: readonly string[] },
): Promise<readonly ReadList[]> {
  const read: ReadList[] = [];
  for (const list of LISTS) {
    if (ids?.includes(list.id) === false) continue;
    const files = await filesOf(list, root);
    if (files.length === 0) continue;
    const trial = await tryFiles(list, files, root);
    read.push({ trial, files, input: inputOf(list, trial, day) });
  }
  return read;
}

async function filesOf(list: List, root: string): Promise<string[]> {
  const found = await Promise.all(
    list.files.map(async (file) => (await findFiles(root, file)).map((name) => `${file.folder}/${name}`)),
  );
  return [...new Set(found.flat())];
}

/** Returns the list with ages measured from its newest day, as in a build from a folder. */
function inputOf({ id, maxAgeDays }: List, { table, claims, asns }: ListTrial, day: number): ListInput {
  const seen = [...claims, ...asns.values()].flatMap(({ lastSeen }) => lastSeen ?? []);
  const days = { seen: [...seen].sort((a, b) => a - b), isPartlyUndated: true };
  const today = newestDay(days, { dayOfCopy: day, now: day });
  return { id, table, claims, asns, day, today, maxAgeDays };
}
