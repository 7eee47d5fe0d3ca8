import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ListTable } from '../lists/collect-list.js';

const listDaysSchema = z.strictObject({
  /** The newest day on which any row was last seen, in days since 1970; absent where no row has a date of its own. */
  newest: z.int().exactOptional(),
  /** Whether some rows have no date of their own: theirs is the copy's. */
  isPartlyUndated: z.boolean(),
});

/** What a list knows about its own age: small, so that nobody has to load the list for it. */
export type ListDays = Readonly<z.infer<typeof listDaysSchema>>;

/** Writes the days of a list beside its table. */
export function writeListDays(dir: string, list: Pick<ListTable, 'claims' | 'asns'>): void {
  writeFileSync(join(dir, DAYS), JSON.stringify(daysOf(list)), { flush: true });
}

/** Reads what `writeListDays` wrote. Throws what the file system throws, SyntaxError or ZodError for another file. */
export function readListDays(dir: string): ListDays {
  return listDaysSchema.parse(JSON.parse(readFileSync(join(dir, DAYS), 'utf8')));
}

/**
 * The day against which a list's ages are reckoned where nobody is live: the newest one that it knows. A folder of old
 * files is a night of its own.
 */
export function newestDay({ newest }: ListDays, dayOfCopy: number): number {
  return newest ?? dayOfCopy;
}

const DAYS = 'days.json';

function daysOf({ claims, asns }: Pick<ListTable, 'claims' | 'asns'>): ListDays {
  let newest: number | undefined;
  let isPartlyUndated = false;
  for (const { lastSeen } of [...claims, ...asns.values()]) {
    if (lastSeen === undefined) isPartlyUndated = true;
    else if (newest === undefined || lastSeen > newest) newest = lastSeen;
  }
  return { ...(newest !== undefined && { newest }), isPartlyUndated };
}
